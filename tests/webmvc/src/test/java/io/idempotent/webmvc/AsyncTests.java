package io.idempotent.webmvc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of an operation while its asynchronous result is awaited, and after a
 * time-out.
 */
class AsyncTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Later.class, "spring.mvc.async.request-timeout=2s");

	@Test
	void anUndeclaredStreamIsSentAtOnceAndLeavesATombstone() throws Exception {
		CountDownLatch release = Later.hold();
		int before = Later.runs.get();
		String key = TestServer.newKey();
		HttpResponse<InputStream> first = HttpClient.newHttpClient()
			.send(server.post("/undeclared-emitter", "{}").header("Idempotency-Key", key).build(),
					BodyHandlers.ofInputStream());
		try (BufferedReader events = new BufferedReader(new InputStreamReader(first.body(), StandardCharsets.UTF_8))) {
			assertThat(events.readLine()).as("before the stream has ended").isEqualTo("data:one");
			release.countDown();
			assertThat(events.lines().toList()).contains("data:two");
		}
		await().until(() -> TestServer.code(server.submit("/undeclared-emitter", key)).equals("response-unavailable"));
		assertThat(Later.runs).hasValue(before + 1);
	}

	@Test
	void aDuplicateIsRefusedWhileTheResultIsAwaited() throws Exception {
		CountDownLatch release = Later.hold();
		String key = TestServer.newKey();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture
			.supplyAsync(() -> server.submit("/held", key));
		Later.started.await();
		HttpResponse<byte[]> duplicate = server.submit("/held", key);
		release.countDown();
		TestServer.assertRefused(duplicate, 409, "in-progress");
		assertThat(TestServer.header(duplicate, "Retry-After")).isEqualTo("1");
		assertThat(TestServer.header(duplicate, "Idempotency-TTL")).isEmpty();
		assertThat(first.get().statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(server.submit("/held", key))).isTrue();
	}

	@Test
	void aTimeOutDoesNotReleaseTheKey() {
		CountDownLatch release = Later.hold();
		String key = TestServer.newKey();
		// 503, or 500 where Spring's interruption of the Callable wins the race.
		assertThat(server.submit("/held", key).statusCode()).isGreaterThanOrEqualTo(500);
		assertThat(TestServer.code(server.submit("/held", key))).isEqualTo("in-progress");
		release.countDown();
	}

	@Test
	void anErrorAnsweredAfterATimeOutDoesNotReleaseTheKey() {
		String key = TestServer.newKey();
		assertThat(server.submit("/refused-in-time-out", key).statusCode()).isEqualTo(429);
		assertThat(TestServer.code(server.submit("/refused-in-time-out", key))).isEqualTo("in-progress");
	}

	@Test
	void anOperationThatTimedOutIsUnknownOnceItsLeaseHasRunOut() {
		CountDownLatch release = Later.hold();
		String key = TestServer.newKey();
		assertThat(server.submit("/held-with-short-lease", key).statusCode()).isGreaterThanOrEqualTo(500);
		int before = Later.starts.get();
		release.countDown();
		// RERUN: claimed again, and only then.
		await().until(() -> server.submit("/held-with-short-lease", key).statusCode() == 200);
		assertThat(Later.starts).hasValue(before + 1);
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
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

		@PostMapping("/refused-in-time-out")
		DeferredResult<ResponseEntity<Void>> refusedInTimeOut() {
			return new DeferredResult<>(100L, ResponseEntity.status(429).build());
		}

		@PostMapping("/held")
		Callable<String> held() {
			return this::runHeld;
		}

		@ApiIdempotent(value = KeySource.HEADER, lease = "1s")
		@PostMapping("/held-with-short-lease")
		Callable<String> heldWithShortLease() {
			return this::runHeld;
		}

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
