package io.idempotent.webmvc;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
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

	private static EmbeddedRedis redis;

	private static FaultyProxy network;

	private static TestServer server;

	private final String key = TestServer.newKey();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		network = new FaultyProxy(redis.host(), redis.port());
		server = TestServer.start(redis, Payments.class, "idempotent.store.near-cache.enabled=false",
				"spring.data.redis.port=" + network.port(), "spring.data.redis.timeout=60s",
				"spring.data.redis.connect-timeout=1s", "idempotent.store.redis.timeout=1s");
	}

	@AfterAll
	static void stop() {
		server.close();
		network.close();
		redis.close();
	}

	@BeforeEach
	void reset() {
		Payments.reset();
	}

	/** Whatever failed works again. */
	@AfterEach
	void mend() {
		Payments.gate.countDown();
		network.thaw();
		network.thawReplies();
		if (!redis.isRunning()) {
			redis.restart();
			network.breakConnections();
		}
		await().atMost(30, TimeUnit.SECONDS)
			.until(() -> server.submit("/pay", TestServer.newKey()).statusCode() == 201);
	}

	@Test
	void withoutRedisNothingRunsAndTheKeyStaysValid() {
		Payments.gate.countDown();
		redis.stop();
		HttpResponse<byte[]> refused = server.submit("/pay", this.key);
		TestServer.assertRefused(refused, 503, "store-unavailable");
		assertThat(TestServer.header(refused, "Retry-After")).isEqualTo("5");
		assertThat(Payments.runs).hasValue(0);
		redis.restart();
		network.breakConnections();
		await().until(() -> server.submit("/pay", this.key).statusCode() == 201);
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void withoutRedisNoTokenIsIssued() {
		Payments.gate.countDown();
		redis.stop();
		HttpResponse<byte[]> refused = server.send(server.request("/token"));
		TestServer.assertRefused(refused, 503, "store-unavailable");
		assertThat(TestServer.header(refused, "Retry-After")).isEqualTo("5");
	}

	@Test
	void anOperationMayRunUnprotectedWithoutRedis() {
		Payments.gate.countDown();
		redis.stop();
		assertThat(server.submit("/pay-anyway", this.key).statusCode()).isEqualTo(201);
		assertThat(server.submit("/pay-anyway", this.key).statusCode()).isEqualTo(201);
		assertThat(Payments.runs).hasValue(2);
		assertThat(Payments.events.stream().filter((event) -> event.type() == IdempotencyEvent.Type.UNPROTECTED))
			.hasSize(2)
			.allMatch((event) -> event.operation().equals("Payments.payAnyway"));
	}

	@Test
	void anOperationThatOutlivesRedisIsRecordedLater() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(server, "/pay");
		redis.stop();
		Payments.gate.countDown();
		HttpResponse<byte[]> answer = first.get();
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(Payments.events).anyMatch((event) -> event.type() == IdempotencyEvent.Type.WRITE_DELAYED);
		redis.restart();
		network.breakConnections();
		await()
			.until(() -> Payments.events.stream().anyMatch((event) -> event.type() == IdempotencyEvent.Type.COMPLETED));
		TestServer.assertReplays(answer, server.submit("/pay", this.key));
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void anOperationThatAFullRedisDoesNotRecordIsNotRunAgain() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(server, "/pay-fast");
		RedisTalk.tell(redis, "CONFIG SET maxmemory 1");
		try {
			Payments.gate.countDown();
			assertThat(first.get().statusCode()).isEqualTo(201);
			long end = System.nanoTime();
			await().until(() -> System.nanoTime() - end > TimeUnit.SECONDS.toNanos(4));
			TestServer.assertRefused(server.submit("/pay-fast", this.key), 409, "in-progress");
		}
		finally {
			RedisTalk.tell(redis, "CONFIG SET maxmemory 0");
		}
		assertThat(server.submit("/pay-fast", this.key))
			.matches((repeat) -> repeat.statusCode() == 409 || TestServer.isReplayed(repeat));
		await().until(() -> TestServer.isReplayed(server.submit("/pay-fast", this.key)));
		TestServer.assertReplays(first.get(), server.submit("/pay-fast", this.key));
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void aClaimWhoseReplyCameTooLateIsRecognized() throws Exception {
		Payments.gate.countDown();
		server.submit("/pay", TestServer.newKey());
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			network.freezeReplies();
			CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture
				.supplyAsync(() -> server.submit("/pay", this.key));
			// The client gives up after a second and asks again; then the replies arrive.
			AtomicInteger claims = new AtomicInteger();
			await().until(() -> claims.addAndGet(monitor.commands().getOrDefault("set", 0)) == 2);
			network.thawReplies();
			assertThat(first.get().statusCode()).isEqualTo(201);
		}
		assertThat(Payments.runs).hasValue(2);
		assertThat(TestServer.isReplayed(server.submit("/pay", this.key))).isTrue();
	}

	@Test
	void aConnectionThatBreaksDuringTheClaimDoesNotMakeADuplicateOfIt() throws Exception {
		RedisTalk.tell(redis, "FLUSHALL");
		Payments.gate.countDown();
		server.submit("/pay", TestServer.newKey());
		network.freezeReplies();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture
			.supplyAsync(() -> server.submit("/pay", this.key));
		await().until(() -> keys() > 1);
		network.breakConnections();
		network.thawReplies();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void aHangingRedisIsReportedToAllCallersInTime() throws Exception {
		Payments.gate.countDown();
		server.submit("/pay", TestServer.newKey());
		RedisTalk.tell(redis, "CLIENT PAUSE 10000 ALL");
		List<HttpResponse<byte[]>> answers = submitTogether("/pay");
		assertThat(answers).allSatisfy((answer) -> TestServer.assertRefused(answer, 503, "store-unavailable"));
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void unprotectedRunsDoNotWaitForEachOther() throws Exception {
		Payments.gate.countDown();
		server.submit("/pay-anyway", TestServer.newKey());
		network.freeze();
		assertThat(submitTogether("/pay-anyway")).allMatch((answer) -> answer.statusCode() == 201);
		assertThat(Payments.runs).hasValue(1 + CROWD);
		assertThat(Payments.events.stream().filter((event) -> event.type() == IdempotencyEvent.Type.UNPROTECTED))
			.hasSize(CROWD);
		network.thaw();
	}

	@Test
	void aLongOperationKeepsItsClaimThroughAHangAndIsRecorded() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(server, "/pay-long");
		network.freeze();
		await().until(() -> server.submit("/pay-long", this.key).statusCode() == 503);
		network.thaw();
		await().atMost(30, TimeUnit.SECONDS).until(() -> server.submit("/pay-long", this.key).statusCode() == 409);
		Payments.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(TestServer.isReplayed(server.submit("/pay-long", this.key))).isTrue();
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void aClientThatGoesAwayDoesNotUndoTheOperation() throws Exception {
		try (Socket client = new Socket("localhost", server.port())) {
			client.getOutputStream()
				.write(("POST /pay HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + this.key
						+ "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
					.getBytes(StandardCharsets.US_ASCII));
			client.getOutputStream().flush();
			assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
			client.setSoLinger(true, 0);
		}
		Payments.gate.countDown();
		await()
			.until(() -> Payments.events.stream().anyMatch((event) -> event.type() == IdempotencyEvent.Type.COMPLETED));
		HttpResponse<byte[]> retry = server.submit("/pay", this.key);
		assertThat(retry.statusCode()).isEqualTo(201);
		assertThat(TestServer.isReplayed(retry)).isTrue();
		assertThat(TestServer.text(retry)).isEqualTo("paid 1");
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void anOperationInProgressIsRecordedDuringShutdown() throws Exception {
		TestServer stopping = TestServer.start(redis, Payments.class);
		CompletableFuture<HttpResponse<byte[]>> first = begin(stopping, "/pay");
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(stopping::close);
		Payments.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		stopped.get();
		assertThat(TestServer.isReplayed(server.submit("/pay", this.key))).isTrue();
		assertThat(Payments.runs).hasValue(1);
	}

	private CompletableFuture<HttpResponse<byte[]>> begin(TestServer node, String path) throws InterruptedException {
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture
			.supplyAsync(() -> node.submit(path, this.key));
		assertThat(Payments.entered.await(1, TimeUnit.MINUTES)).isTrue();
		return first;
	}

	/**
	 * Submits different operations at once, and insists on answers long before the
	 * client's own time-out of a minute.
	 */
	private List<HttpResponse<byte[]>> submitTogether(String path) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(CROWD);
		try {
			List<CompletableFuture<HttpResponse<byte[]>>> answers = Stream
				.generate(() -> CompletableFuture.supplyAsync(() -> server.submit(path, TestServer.newKey()), callers))
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
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			return monitor.ask("DBSIZE");
		}
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

		@ApiIdempotent(value = KeySource.HEADER, lease = "2s")
		@PostMapping("/pay-fast")
		ResponseEntity<String> payFast() throws InterruptedException {
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
