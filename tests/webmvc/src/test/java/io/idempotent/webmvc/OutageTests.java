package io.idempotent.webmvc;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.KeySource;
import io.idempotent.WhenStoreFails;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What comes of it when Redis, the network or the client fails in the middle.
 */
@Tag("slow")
class OutageTests {

	/** As many as Tomcat has threads. */
	private static final int CROWD = 200;

	private EmbeddedRedis redis;

	private FaultyProxy network;

	private TestServer server;

	@BeforeEach
	void start() {
		this.redis = EmbeddedRedis.start();
		this.network = new FaultyProxy(this.redis.host(), this.redis.port());
		this.server = TestServer.start(this.redis, Payments.class, "idempotent.store.near-cache.enabled=false",
				"spring.data.redis.port=" + this.network.port(), "spring.data.redis.timeout=60s");
		Payments.reset();
	}

	@AfterEach
	void stop() {
		Payments.gate.countDown();
		this.server.close();
		this.network.close();
		this.redis.close();
	}

	@Test
	void withoutRedisNothingRunsAndTheKeyStaysValid() {
		String key = UUID.randomUUID().toString();
		Payments.gate.countDown();
		this.redis.stop();
		HttpResponse<byte[]> refused = submit("/pay", key);
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(refused)).isEqualTo("store-unavailable");
		assertThat(TestServer.header(refused, "Retry-After")).isEqualTo("5");
		assertThat(Payments.runs).hasValue(0);
		this.redis.restart();
		restartNetwork();
		await().until(() -> submit("/pay", key).statusCode() == 201);
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void withoutRedisNoTokenIsIssued() {
		this.redis.stop();
		HttpResponse<byte[]> refused = this.server.send(this.server.request("/token"));
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(refused)).isEqualTo("store-unavailable");
	}

	@Test
	void anOperationMayRunUnprotectedWithoutRedis() {
		Payments.gate.countDown();
		this.redis.stop();
		String key = UUID.randomUUID().toString();
		assertThat(submit("/pay-anyway", key).statusCode()).isEqualTo(201);
		assertThat(submit("/pay-anyway", key).statusCode()).isEqualTo(201);
		assertThat(Payments.runs).hasValue(2);
		assertThat(Payments.events.stream().filter((event) -> event.type() == IdempotencyEvent.Type.UNPROTECTED))
			.hasSize(2)
			.allMatch((event) -> event.operation().equals("Payments.payAnyway"));
	}

	@Test
	void anOperationThatOutlivesRedisIsRecordedLater() throws Exception {
		String key = UUID.randomUUID().toString();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/pay", key));
		assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
		this.redis.stop();
		Payments.gate.countDown();
		HttpResponse<byte[]> answer = first.get();
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(Payments.events).anyMatch((event) -> event.type() == IdempotencyEvent.Type.WRITE_DELAYED);
		this.redis.restart();
		restartNetwork();
		await()
			.until(() -> Payments.events.stream().anyMatch((event) -> event.type() == IdempotencyEvent.Type.COMPLETED));
		HttpResponse<byte[]> duplicate = submit("/pay", key);
		assertThat(TestServer.isReplayed(duplicate)).isTrue();
		assertThat(duplicate.body()).isEqualTo(answer.body());
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void aClaimWhoseReplyCameTooLateIsRecognized() throws Exception {
		Payments.gate.countDown();
		submit("/pay", UUID.randomUUID().toString());
		String key = UUID.randomUUID().toString();
		try (RedisMonitor monitor = RedisMonitor.of(this.redis)) {
			this.network.freezeReplies();
			CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/pay", key));
			// The client gives up after a second and asks again; then the replies arrive.
			AtomicInteger claims = new AtomicInteger();
			await().until(() -> claims.addAndGet(monitor.commands().getOrDefault("set", 0)) == 2);
			this.network.thawReplies();
			assertThat(first.get().statusCode()).isEqualTo(201);
		}
		assertThat(Payments.runs).hasValue(2);
		assertThat(TestServer.isReplayed(submit("/pay", key))).isTrue();
	}

	@Test
	void aConnectionThatBreaksDuringTheClaimDoesNotMakeADuplicateOfIt() throws Exception {
		Payments.gate.countDown();
		submit("/pay", UUID.randomUUID().toString());
		this.network.freezeReplies();
		String key = UUID.randomUUID().toString();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/pay", key));
		await().until(() -> this.redis.isRunning() && keys() > 1);
		this.network.breakConnections();
		this.network.thawReplies();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void aHangingRedisIsReportedToAllCallersInTime() throws Exception {
		Payments.gate.countDown();
		submit("/pay", UUID.randomUUID().toString());
		RedisTalk.tell(this.redis, "CLIENT PAUSE 10000 ALL");
		List<HttpResponse<byte[]>> answers = submitTogether("/pay");
		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.statusCode()).isEqualTo(503);
			assertThat(TestServer.code(answer)).isEqualTo("store-unavailable");
		});
		assertThat(Payments.runs).hasValue(1);
		await().atMost(30, TimeUnit.SECONDS)
			.until(() -> submit("/pay", UUID.randomUUID().toString()).statusCode() == 201);
	}

	@Test
	void unprotectedRunsDoNotWaitForEachOther() throws Exception {
		Payments.gate.countDown();
		submit("/pay-anyway", UUID.randomUUID().toString());
		this.network.freeze();
		assertThat(submitTogether("/pay-anyway")).allMatch((answer) -> answer.statusCode() == 201);
		assertThat(Payments.runs).hasValue(1 + CROWD);
		assertThat(Payments.events.stream().filter((event) -> event.type() == IdempotencyEvent.Type.UNPROTECTED))
			.hasSize(CROWD);
		this.network.thaw();
		await().atMost(30, TimeUnit.SECONDS)
			.until(() -> submit("/pay", UUID.randomUUID().toString()).statusCode() == 201);
	}

	@Test
	void aLongOperationKeepsItsClaimThroughAHangAndIsRecorded() throws Exception {
		String key = UUID.randomUUID().toString();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/pay-long", key));
		assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
		this.network.freeze();
		await().until(() -> submit("/pay-long", key).statusCode() == 503);
		this.network.thaw();
		await().atMost(30, TimeUnit.SECONDS).until(() -> submit("/pay-long", key).statusCode() == 409);
		Payments.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(TestServer.isReplayed(submit("/pay-long", key))).isTrue();
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void aClientThatGoesAwayDoesNotUndoTheOperation() throws Exception {
		String key = UUID.randomUUID().toString();
		try (Socket client = new Socket("localhost", this.server.port())) {
			client.getOutputStream()
				.write(("POST /pay HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key
						+ "\r\nContent-Length: 1\r\n\r\nx")
					.getBytes(StandardCharsets.US_ASCII));
			client.getOutputStream().flush();
			assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
			client.setSoLinger(true, 0);
		}
		Payments.gate.countDown();
		await()
			.until(() -> Payments.events.stream().anyMatch((event) -> event.type() == IdempotencyEvent.Type.COMPLETED));
		HttpResponse<byte[]> retry = submit("/pay", key);
		assertThat(retry.statusCode()).isEqualTo(201);
		assertThat(TestServer.isReplayed(retry)).isTrue();
		assertThat(TestServer.text(retry)).isEqualTo("paid 1");
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void anOperationInProgressIsRecordedDuringShutdown() throws Exception {
		String key = UUID.randomUUID().toString();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/pay", key));
		assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(this.server::close);
		Payments.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		stopped.get();
		try (TestServer next = TestServer.start(this.redis, Payments.class)) {
			assertThat(TestServer.isReplayed(submit(next, "/pay", key))).isTrue();
		}
		assertThat(Payments.runs).hasValue(1);
	}

	/**
	 * Submits different operations at once, and insists on answers long before the
	 * client's own time-out of a minute.
	 */
	private List<HttpResponse<byte[]>> submitTogether(String path) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(CROWD);
		try {
			List<CompletableFuture<HttpResponse<byte[]>>> answers = Stream
				.generate(
						() -> CompletableFuture.supplyAsync(() -> submit(path, UUID.randomUUID().toString()), callers))
				.limit(CROWD)
				.toList();
			CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
			return answers.stream().map(CompletableFuture::join).toList();
		}
		finally {
			callers.shutdownNow();
		}
	}

	private int keys() throws IOException {
		try (RedisMonitor monitor = RedisMonitor.of(this.redis)) {
			return monitor.ask("DBSIZE");
		}
	}

	/** A proxy does not reconnect by itself. */
	private void restartNetwork() {
		this.network.breakConnections();
	}

	private HttpResponse<byte[]> submit(String path, String key) {
		return submit(this.server, path, key);
	}

	private static HttpResponse<byte[]> submit(TestServer server, String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString("x")));
	}

	@RestController
	static class Payments implements IdempotencyListener {

		static final AtomicInteger runs = new AtomicInteger();

		static final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();

		static volatile CountDownLatch gate = new CountDownLatch(1);

		static volatile CountDownLatch entered = new CountDownLatch(1);

		static void reset() {
			runs.set(0);
			events.clear();
			gate = new CountDownLatch(1);
			entered = new CountDownLatch(1);
		}

		@Override
		public void onEvent(IdempotencyEvent event) {
			events.add(event);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/pay")
		ResponseEntity<String> pay() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenStoreFails = WhenStoreFails.PROCEED)
		@PostMapping("/pay-anyway")
		ResponseEntity<String> payAnyway() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "6s")
		@PostMapping("/pay-long")
		ResponseEntity<String> payLong() throws InterruptedException {
			return run();
		}

		private static ResponseEntity<String> run() throws InterruptedException {
			entered.countDown();
			if (!gate.await(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("never let through");
			}
			return ResponseEntity.status(201).body("paid " + runs.incrementAndGet());
		}

	}

}
