package io.idempotent.webmvc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Asynchronous answers are recorded when they are there, not when the method returned.
 */
class AsyncTests {

	private static EmbeddedRedis redis;

	private static TestServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.start(redis, Later.class, "spring.mvc.async.request-timeout=2s");
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/callable", "/deferred", "/future", "/done-future", "/null-future", "/undeclared-callable" })
	void aResultIsRecordedAndReplayed(String path) {
		int before = Later.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit(path, key);
		HttpResponse<byte[]> second = submit(path, key);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(second.statusCode()).isEqualTo(200);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(Later.runs).hasValue(before + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/failing-callable", "/failing-deferred", "/failing-future", "/late-400",
			"/undeclared-failing-callable", "/undeclared-failing-future", "/undeclared-failing-deferred" })
	void aFailureReleasesTheKey(String path) {
		int before = Later.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit(path, key);
		HttpResponse<byte[]> second = submit(path, key);
		assertThat(first.statusCode()).isGreaterThanOrEqualTo(400);
		assertThat(second.statusCode()).isEqualTo(first.statusCode());
		assertThat(Later.runs).hasValue(before + 2);
	}

	@Test
	void anUndeclaredStreamIsSentAtOnceAndLeavesATombstone() throws Exception {
		CountDownLatch release = Later.hold();
		int before = Later.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<InputStream> first = HttpClient.newHttpClient()
			.send(server.request("/undeclared-emitter")
				.header("Idempotency-Key", key)
				.POST(BodyPublishers.noBody())
				.build(), BodyHandlers.ofInputStream());
		try (BufferedReader events = new BufferedReader(new InputStreamReader(first.body(), StandardCharsets.UTF_8))) {
			assertThat(events.readLine()).as("before the stream has ended").isEqualTo("data:one");
			release.countDown();
			assertThat(events.lines().toList()).contains("data:two");
		}
		await().until(() -> TestServer.code(submit("/undeclared-emitter", key)).equals("response-unavailable"));
		assertThat(Later.runs).hasValue(before + 1);
	}

	@Test
	void aDuplicateIsRefusedWhileTheResultIsAwaited() throws Exception {
		CountDownLatch release = Later.hold();
		String key = UUID.randomUUID().toString();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> submit("/held", key));
		Later.started.await();
		HttpResponse<byte[]> duplicate = submit("/held", key);
		release.countDown();
		assertThat(TestServer.code(duplicate)).isEqualTo("in-progress");
		assertThat(first.get().statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(submit("/held", key))).isTrue();
	}

	@Test
	void aTimeOutDoesNotReleaseTheKey() {
		CountDownLatch release = Later.hold();
		String key = UUID.randomUUID().toString();
		// 503, or 500 where Spring's interruption of the Callable wins the race.
		assertThat(submit("/held", key).statusCode()).isGreaterThanOrEqualTo(500);
		assertThat(TestServer.code(submit("/held", key))).isEqualTo("in-progress");
		release.countDown();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/answered-in-time-out", "/answered-by-callback" })
	void aSuccessAnsweredAfterATimeOutIsReplayed(String path) {
		int before = Later.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit(path, key);
		HttpResponse<byte[]> second = submit(path, key);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(Later.runs).hasValue(before + 1);
	}

	@Test
	void anErrorAnsweredAfterATimeOutDoesNotReleaseTheKey() {
		String key = UUID.randomUUID().toString();
		assertThat(submit("/refused-in-time-out", key).statusCode()).isEqualTo(429);
		assertThat(TestServer.code(submit("/refused-in-time-out", key))).isEqualTo("in-progress");
	}

	@Test
	void anOperationThatTimedOutIsUnknownOnceItsLeaseHasRunOut() {
		CountDownLatch release = Later.hold();
		String key = UUID.randomUUID().toString();
		assertThat(submit("/held-with-short-lease", key).statusCode()).isGreaterThanOrEqualTo(500);
		int before = Later.starts.get();
		release.countDown();
		// RERUN: claimed again, and only then.
		await().until(() -> submit("/held-with-short-lease", key).statusCode() == 200);
		assertThat(Later.starts).hasValue(before + 1);
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.noBody()));
	}

	@RestController
	static class Later {

		static final AtomicInteger runs = new AtomicInteger();

		static final AtomicInteger starts = new AtomicInteger();

		static volatile CountDownLatch held = new CountDownLatch(0);

		static volatile CountDownLatch started = new CountDownLatch(1);

		private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		});

		static CountDownLatch hold() {
			started = new CountDownLatch(1);
			held = new CountDownLatch(1);
			return held;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/answered-in-time-out")
		DeferredResult<Map<String, Integer>> answeredInTimeOut() {
			return new DeferredResult<>(100L, Map.of("accepted", runs.incrementAndGet()));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/answered-by-callback")
		DeferredResult<Map<String, Integer>> answeredByCallback() {
			DeferredResult<Map<String, Integer>> result = new DeferredResult<>(100L);
			int run = runs.incrementAndGet();
			result.onTimeout(() -> result.setResult(Map.of("accepted", run)));
			return result;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/refused-in-time-out")
		DeferredResult<ResponseEntity<Void>> refusedInTimeOut() {
			return new DeferredResult<>(100L, ResponseEntity.status(429).build());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/callable")
		Callable<Map<String, Integer>> callable() {
			return () -> Map.of("run", runs.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/deferred")
		DeferredResult<Map<String, Integer>> deferred() {
			DeferredResult<Map<String, Integer>> result = new DeferredResult<>();
			this.threads.execute(() -> result.setResult(Map.of("run", runs.incrementAndGet())));
			return result;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/future")
		CompletableFuture<Map<String, Integer>> future() {
			return CompletableFuture.supplyAsync(() -> Map.of("run", runs.incrementAndGet()), this.threads);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/done-future")
		CompletableFuture<ResponseEntity<String>> doneFuture() {
			return CompletableFuture.completedFuture(ResponseEntity.ok("run " + runs.incrementAndGet()));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/null-future")
		@SuppressWarnings("FutureReturnValueIgnored")
		CompletableFuture<String> nullFuture() {
			runs.incrementAndGet();
			return CompletableFuture.completedFuture(null);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/failing-callable")
		Callable<String> failingCallable() {
			return () -> {
				runs.incrementAndGet();
				throw new IllegalStateException("planned");
			};
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/failing-deferred")
		DeferredResult<String> failingDeferred() {
			runs.incrementAndGet();
			DeferredResult<String> result = new DeferredResult<>();
			result.setErrorResult(new IllegalStateException("planned"));
			return result;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/failing-future")
		CompletableFuture<String> failingFuture() {
			runs.incrementAndGet();
			return CompletableFuture.failedFuture(new IllegalStateException("planned"));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/late-400")
		CompletableFuture<ResponseEntity<String>> late400() {
			return CompletableFuture.supplyAsync(() -> {
				runs.incrementAndGet();
				return ResponseEntity.badRequest().body("no");
			}, this.threads);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/held")
		Callable<String> held() {
			return this::runHeld;
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "1s")
		@PostMapping("/held-with-short-lease")
		Callable<String> heldWithShortLease() {
			return this::runHeld;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared-callable")
		Object undeclaredCallable() {
			return callable();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared-failing-callable")
		Object undeclaredFailingCallable() {
			return failingCallable();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared-failing-future")
		@SuppressWarnings("FutureReturnValueIgnored")
		Object undeclaredFailingFuture() {
			return failingFuture();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared-failing-deferred")
		Object undeclaredFailingDeferred() {
			return failingDeferred();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared-emitter")
		Object undeclaredEmitter() {
			runs.incrementAndGet();
			SseEmitter emitter = new SseEmitter();
			CountDownLatch second = held;
			this.threads.execute(() -> {
				try {
					emitter.send("one");
					second.await();
					emitter.send("two");
					emitter.complete();
				}
				catch (IOException | InterruptedException ex) {
					emitter.completeWithError(ex);
				}
			});
			return emitter;
		}

		private String runHeld() throws InterruptedException {
			starts.incrementAndGet();
			started.countDown();
			held.await();
			return "run " + runs.incrementAndGet();
		}

	}

}
