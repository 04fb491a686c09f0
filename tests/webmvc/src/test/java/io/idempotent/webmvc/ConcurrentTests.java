package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;
import io.idempotent.submission.IdempotencyGate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances of an application on one Redis, and duplicates that meet.
 */
@Tag("slow")
class ConcurrentTests {

	@RegisterExtension
	static final TestServer one = TestServer.of(Shared.class, "idempotent.wait.max-waiters=200");

	@RegisterExtension
	static final TestServer two = TestServer.of(Shared.class, "idempotent.wait.max-waiters=200");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final String key = TestServer.newKey();

	@BeforeEach
	void reset() {
		Shared.reset();
	}

	@AfterEach
	void stop() {
		Shared.gate.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void waitingDuplicatesTakeEffectOnceAndGetOneAnswer() throws Exception {
		Shared.gate.countDown();
		List<HttpResponse<byte[]>> answers = submitEverywhere(200, "/waits");
		assertThat(Shared.runs).hasValue(1);
		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.statusCode()).isEqualTo(201);
			assertThat(TestServer.text(answer)).isEqualTo("run 1");
		});
		assertThat(answers.stream().filter((answer) -> !TestServer.isReplayed(answer))).hasSize(1);
	}

	@Test
	void rejectedDuplicatesTakeEffectOnce() throws Exception {
		Shared.gate.countDown();
		List<HttpResponse<byte[]>> answers = submitEverywhere(200, "/works");
		assertThat(Shared.runs).hasValue(1);
		assertThat(answers).allSatisfy((answer) -> {
			if (answer.statusCode() == 201) {
				assertThat(TestServer.text(answer)).isEqualTo("run 1");
			}
			else {
				assertThat(answer.statusCode()).isEqualTo(409);
				assertThat(TestServer.code(answer)).isEqualTo("in-progress");
				assertThat(TestServer.header(answer, "Retry-After")).isEqualTo("1");
			}
		});
	}

	@Test
	void otherContentIsDetectedWhileTheFirstRuns() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(one, "/works");
		assertThat(TestServer.code(two.submit("/works", this.key, "b"))).isEqualTo("key-reused");
		assertThat(TestServer.code(two.submit("/works", this.key, "a"))).isEqualTo("in-progress");
		Shared.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(TestServer.code(two.submit("/works", this.key, "b"))).isEqualTo("key-reused");
	}

	@Test
	void aWaiterOnAnotherNodeIsWokenByTheEndOfTheOperation() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(one, "/waits");
		CompletableFuture<HttpResponse<byte[]>> second = async(() -> two.submit("/waits", this.key, "a"));
		await().until(() -> subscribers() > 0);
		assertThat(second).isNotDone();
		Shared.gate.countDown();
		assertThat(first.get().body()).isEqualTo(second.get().body());
		assertThat(TestServer.isReplayed(second.get())).isTrue();
	}

	@Test
	void aWaiterGivesUpAfterItsTime() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(one, "/waits-briefly");
		assertThat(TestServer.code(two.submit("/waits-briefly", this.key, "a"))).isEqualTo("in-progress");
		Shared.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
	}

	@Test
	void anOperationThatOutlivesItsLeaseKeepsItsClaim() throws Exception {
		CompletableFuture<HttpResponse<byte[]>> first = begin(one, "/outlives");
		long threeLeases = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
		await().pollInterval(100, TimeUnit.MILLISECONDS).until(() -> {
			assertThat(TestServer.code(two.submit("/outlives", this.key, "a"))).isEqualTo("in-progress");
			return System.nanoTime() > threeLeases;
		});
		Shared.gate.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(TestServer.isReplayed(two.submit("/outlives", this.key, "a"))).isTrue();
		assertThat(Shared.runs).hasValue(1);
	}

	@Test
	void anOperationOfADeadOwnerIsRunAgain() throws Exception {
		try (TestServer dying = TestServer.start(one.redis(), Shared.class)) {
			CompletableFuture<HttpResponse<byte[]>> first = silence(dying, "/reruns");
			CountDownLatch firstGate = Shared.gate;
			Shared.gate = new CountDownLatch(0);
			await().until(() -> two.submit("/reruns", this.key, "a").statusCode() == 201);
			firstGate.countDown();
			first.get();
		}
		assertThat(Shared.runs).hasValue(2);
	}

	@Test
	void anOperationOfADeadOwnerIsRefusedAsUnknown() throws Exception {
		try (TestServer slow = TestServer.start(one.redis(), Shared.class)) {
			CompletableFuture<HttpResponse<byte[]>> first = silence(slow, "/rejects-unknown");
			await()
				.until(() -> TestServer.code(two.submit("/rejects-unknown", this.key, "a")).equals("outcome-unknown"));
			Shared.gate.countDown();
			assertThat(first.get().statusCode()).isEqualTo(201);
		}
		// The owner was only slow: its late word ends the doubt.
		assertThat(TestServer.isReplayed(two.submit("/rejects-unknown", this.key, "a"))).isTrue();
		assertThat(Shared.runs).hasValue(1);
	}

	@Test
	void anOperationOfADeadOwnerIsVerified() throws Exception {
		try (TestServer dying = TestServer.start(one.redis(), Shared.class)) {
			CompletableFuture<HttpResponse<byte[]>> first = silence(dying, "/asks");
			HttpResponse<byte[]> answer = await().until(() -> two.submit("/asks", this.key, "a"),
					(response) -> !TestServer.code(response).equals("in-progress"));
			assertThat(TestServer.code(answer)).isEqualTo("response-unavailable");
			assertThat(Shared.asked).isEqualTo(this.key);
			Shared.gate.countDown();
			first.get();
		}
	}

	/** Lets an operation begin, and its node stop renewing. */
	private CompletableFuture<HttpResponse<byte[]>> silence(TestServer node, String path) throws InterruptedException {
		CompletableFuture<HttpResponse<byte[]>> first = begin(node, path);
		node.bean(IdempotencyGate.class).close();
		return first;
	}

	private CompletableFuture<HttpResponse<byte[]>> begin(TestServer node, String path) throws InterruptedException {
		CompletableFuture<HttpResponse<byte[]>> first = async(() -> node.submit(path, this.key, "a"));
		assertThat(Shared.entered.await(1, TimeUnit.MINUTES)).isTrue();
		return first;
	}

	private long subscribers() {
		try (RedisConnection connection = two.bean(RedisConnectionFactory.class).getConnection()) {
			return Long.parseLong(connection.serverCommands().info("stats").getProperty("pubsub_channels", "0"));
		}
	}

	private List<HttpResponse<byte[]>> submitEverywhere(int count, String path) throws Exception {
		List<CompletableFuture<HttpResponse<byte[]>>> pending = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			TestServer server = (i % 2 == 0) ? one : two;
			pending.add(async(() -> server.submit(path, this.key, "a")));
		}
		List<HttpResponse<byte[]>> answers = new ArrayList<>();
		for (CompletableFuture<HttpResponse<byte[]>> answer : pending) {
			answers.add(answer.get(60, TimeUnit.SECONDS));
		}
		return answers;
	}

	private <T> CompletableFuture<T> async(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, this.threads);
	}

	@RestController
	static class Shared implements OutcomeVerifier {

		static final AtomicInteger runs = new AtomicInteger();

		static volatile CountDownLatch gate = new CountDownLatch(1);

		static volatile CountDownLatch entered = new CountDownLatch(1);

		static volatile String asked = "";

		static void reset() {
			runs.set(0);
			gate = new CountDownLatch(1);
			entered = new CountDownLatch(1);
		}

		@Override
		public Verdict verify(UnknownOperation operation) {
			asked = operation.keyValue();
			return Verdict.HAPPENED;
		}

		@ApiIdempotent(value = KeySource.HEADER, whenInProgress = WhenInProgress.WAIT, waitTimeout = "30s")
		@PostMapping("/waits")
		ResponseEntity<String> waits() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenInProgress = WhenInProgress.WAIT, waitTimeout = "300ms")
		@PostMapping("/waits-briefly")
		ResponseEntity<String> waitsBriefly() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/works")
		ResponseEntity<String> works() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "2s")
		@PostMapping("/outlives")
		ResponseEntity<String> outlives() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "500ms", whenUnknown = WhenUnknown.RERUN)
		@PostMapping("/reruns")
		ResponseEntity<String> reruns() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "500ms", whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/rejects-unknown")
		ResponseEntity<String> rejectsUnknown() throws InterruptedException {
			return run();
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "500ms", whenUnknown = WhenUnknown.ASK)
		@PostMapping("/asks")
		ResponseEntity<String> asks() throws InterruptedException {
			return run();
		}

		private static ResponseEntity<String> run() throws InterruptedException {
			CountDownLatch pass = gate;
			entered.countDown();
			if (!pass.await(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("never let through");
			}
			return ResponseEntity.status(201).body("run " + runs.incrementAndGet());
		}

	}

}
