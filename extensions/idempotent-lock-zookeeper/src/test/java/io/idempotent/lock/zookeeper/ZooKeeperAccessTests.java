package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Where lock nodes are, and who may touch them: two applications on one ensemble, each
 * below a node of its own, and a stranger.
 */
@Timeout(60)
class ZooKeeperAccessTests {

	private static final LockRequest REQUEST = new LockRequest("a", Duration.ofSeconds(30), false);

	private static final DocumentedChroot SHOP = DocumentedChroot.read();

	private static final DocumentedChroot CRM = new DocumentedChroot("crm:crm-secret", "/crm");

	@AutoClose
	private TestZooKeeper server;

	@BeforeEach
	void start() throws Exception {
		this.server = TestZooKeeper.start();
		SHOP.create(this.server);
		CRM.create(this.server);
	}

	@Test
	void strangersCannotReadTakeOrBreakALock() throws Exception {
		try (ZooKeeperLockEngine shop = SHOP.connect(this.server, SHOP.credentials())) {
			LockGrant grant = take(shop);
			String line = TestSettings.BASE_PATH + "/a";
			String parent = SHOP.path() + line;
			String node = parent + "/" + shop.sessionClient().client().getChildren().forPath(line).get(0);
			for (String credentials : Arrays.asList(null, CRM.credentials(), "shop:wrong")) {
				try (CuratorFramework stranger = DocumentedChroot.client(this.server, credentials)) {
					for (String path : List.of(SHOP.path(), parent, node)) {
						assertDenied(() -> stranger.getChildren().forPath(path));
						assertDenied(() -> stranger.getData().forPath(path));
						assertDenied(() -> stranger.setData().forPath(path));
						assertDenied(() -> stranger.create().forPath(path + "/lock-"));
						assertDenied(() -> stranger.setACL().withACL(stranger.getACL().forPath("/")).forPath(path));
					}
					assertDenied(() -> stranger.delete().forPath(node));
				}
				try (ZooKeeperLockEngine other = SHOP.connect(this.server, credentials)) {
					assertThatExceptionOfType(LockUnavailableException.class)
						.isThrownBy(() -> other.acquire(REQUEST, Duration.ZERO))
						.withMessageContaining("NoAuth");
				}
			}
			assertThat(grant.renew(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		}
	}

	@Test
	void anEmptyChrootCanBeDeletedByItsNeighbours() throws Exception {
		try (CuratorFramework stranger = DocumentedChroot.client(this.server, null);
				ZooKeeperLockEngine shop = SHOP.connect(this.server, SHOP.credentials())) {
			take(shop).release(Duration.ZERO);
			stranger.delete().forPath(CRM.path());
			assertThatExceptionOfType(KeeperException.NotEmptyException.class)
				.isThrownBy(() -> stranger.delete().forPath(SHOP.path()));
		}
	}

	@Test
	void aMissingChrootIsReported() throws Exception {
		DocumentedChroot missing = new DocumentedChroot("shop:shop-secret", "/missing");
		try (ZooKeeperLockEngine engine = missing.connect(this.server, missing.credentials())) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(REQUEST, Duration.ZERO))
				.withMessageContaining("NoNode")
				.withMessageContaining("/missing");
		}
	}

	@Test
	void everythingIsBelowTheNamespaceOfTheClient() throws Exception {
		try (CuratorFramework stranger = DocumentedChroot.client(this.server, null);
				CuratorFramework client = CuratorFrameworkFactory.builder()
					.connectString(this.server.connectString())
					.retryPolicy(new RetryOneTime(100))
					.namespace("stock")
					.build();
				ZooKeeperLockEngine engine = new ZooKeeperLockEngine(client, TestSettings.BASE_PATH, "")) {
			client.start();
			client.blockUntilConnected();
			LockGrant grant = take(engine);
			assertThat(stranger.getChildren().forPath("/stock" + TestSettings.BASE_PATH + "/a")).hasSize(1);
			assertThat(stranger.checkExists().forPath(TestSettings.BASE_PATH)).isNull();
			assertThat(grant.renew(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(stranger.getChildren().forPath("/stock" + TestSettings.BASE_PATH + "/a")).isEmpty();
		}
	}

	@Test
	void theLeaseIsTheSessionThatTheServerGranted() throws Exception {
		try (ZooKeeperLockEngine engine = TestSettings.connect(this.server.connectString(), Duration.ofHours(1),
				null)) {
			LockGrant grant = take(engine);
			assertThat(grant.lease()).isPositive().isLessThan(Duration.ofMinutes(10));
		}
	}

	@Test
	void anEngineWithoutServersStartsAndIsUnavailable() throws Exception {
		this.server.stop();
		try (ZooKeeperLockEngine engine = TestSettings.connect(this.server.connectString())) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(REQUEST, Duration.ZERO))
				.withMessageContaining(this.server.connectString());
		}
	}

	@Test
	void credentialsNeedAUserAndAreNotPrinted() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TestSettings.connect("localhost:1", Duration.ofSeconds(30), ":secret"))
			.withMessageContaining("user:password")
			.withMessageNotContaining("secret");
	}

	private static void assertDenied(ThrowingCallable command) {
		assertThatExceptionOfType(KeeperException.NoAuthException.class).isThrownBy(command);
	}

	private static LockGrant take(ZooKeeperLockEngine engine) throws InterruptedException {
		LockGrant grant = engine.acquire(REQUEST, Duration.ZERO);
		assertThat(grant).isNotNull();
		return grant;
	}

}
