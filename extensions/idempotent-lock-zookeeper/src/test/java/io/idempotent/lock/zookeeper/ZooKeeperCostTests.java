package io.idempotent.lock.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.TestZooKeeper;
import io.idempotent.testing.Unchecked;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.WatchersDebug;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a lock costs, as the server counts it.
 */
@Timeout(60)
class ZooKeeperCostTests {

	private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");

	private static final LockRequest REQUEST = new LockRequest("cost", Duration.ofSeconds(30), false);

	private static final LockRequest READ = REQUEST.withMode(LockMode.READ);

	private final TestZooKeeper server = TestZooKeeper.start();

	private final Node node = new Node(this.server.connectString(), Duration.ofSeconds(60));

	private final CuratorFramework client = this.node.client;

	private final ZooKeeperLockEngine engine = this.node.engine;

	private long questions;

	@BeforeEach
	void createTheParent() {
		take().release(Duration.ZERO);
	}

	@AfterEach
	void stop() {
		this.node.close();
		this.server.close();
	}

	@Test
	void aFreeLockCostsTwoRequestsAndItsReleaseOne() {
		long start = received();
		LockGrant grant = take();
		long taken = received();
		grant.release(Duration.ZERO);
		assertThat(taken - start).isEqualTo(2);
		assertThat(received() - taken).isEqualTo(1);
	}

	@Test
	void aFreeLockSendsBothRequestsBeforeTheFirstReply() throws Exception {
		try (FaultyProxy network = new FaultyProxy("localhost", this.server.port());
				Node node = new Node("localhost:" + network.port(), Duration.ofSeconds(20))) {
			long start = received();
			network.freezeReplies();
			CompletableFuture<LockGrant> grant = CompletableFuture.supplyAsync(() -> take(node.engine, REQUEST));
			await().untilAsserted(() -> assertThat(received() - start).isEqualTo(2));
			network.thawReplies();
			assertThat(grant.get(20, TimeUnit.SECONDS)).isNotNull();
		}
	}

	@Test
	void aRefusalCostsThree() throws Exception {
		LockGrant grant = take();
		long start = received();
		assertThat(this.engine.acquire(REQUEST, Duration.ZERO)).isNull();
		assertThat(received() - start).isEqualTo(3);
		grant.release(Duration.ZERO);
	}

	@Test
	void aRenewalCostsOne() {
		LockGrant grant = take();
		long start = received();
		grant.renew(Duration.ZERO);
		assertThat(received() - start).isEqualTo(1);
		grant.release(Duration.ZERO);
	}

	@Test
	void aReaderCostsTheSameBesideOthers() throws Exception {
		LockGrant other = take(READ);
		long start = received();
		LockGrant reader = take(READ);
		long taken = received();
		reader.renew(Duration.ZERO);
		reader.release(Duration.ZERO);
		assertThat(taken - start).isEqualTo(2);
		assertThat(received() - taken).isEqualTo(2);
		other.release(Duration.ZERO);
	}

	@Test
	void cancelledWaitsLeaveNeitherNodesNorWatches() throws Exception {
		LockGrant grant = take();
		// From a wait that is over before its watch is set to one that is over long
		// after.
		for (long nanos = 0; nanos < 5_000_000; nanos += 25_000) {
			assertThat(this.engine.acquire(REQUEST, Duration.ofNanos(nanos))).isNull();
		}
		await().untilAsserted(() -> {
			assertThat(WatchersDebug.getDataWatches(this.client.getZookeeperClient().getZooKeeper())).isEmpty();
			assertThat(this.client.getChildren().forPath(TestSettings.BASE_PATH + "/cost")).hasSize(1);
		});
		grant.release(Duration.ZERO);
	}

	private LockGrant take() {
		return take(REQUEST);
	}

	private LockGrant take(LockRequest request) {
		return take(this.engine, request);
	}

	private static LockGrant take(ZooKeeperLockEngine engine, LockRequest request) {
		return Unchecked.call(() -> {
			@Nullable LockGrant grant = engine.acquire(request, Duration.ZERO);
			assertThat(grant).isNotNull();
			return grant;
		});
	}

	/**
	 * What the server has received from the client under test: each time it is asked, it
	 * counts the question.
	 */
	private long received() {
		try (Socket socket = new Socket("localhost", this.server.port())) {
			socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
			Matcher received = RECEIVED
				.matcher(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
			assertThat(received.find()).isTrue();
			return Long.parseLong(received.group(1)) - this.questions++;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
