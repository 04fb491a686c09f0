package io.idempotent.webmvc;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses to operations with a header key say how long the key is remembered.
 */
class KeyLifetimeTests {

	private static final String HEADER = "Idempotency-TTL";

	@RegisterExtension
	static final TestServer server = TestServer.of(Answers.class, "idempotent.web.max-response-body=1KB",
			"idempotent.defaults.retention=1h");

	private static void assertThatIsWhatIsLeftOf(long retention, HttpResponse<byte[]> repeat) {
		assertThat(repeat.headers().allValues(HEADER)).singleElement()
			.satisfies((left) -> assertThat(Long.parseLong(left)).isBetween(retention - 60, retention - 1));
	}

	@ParameterizedTest
	@CsvSource({ "/done, 3600", "/flushed, 3600", "/redirect, 3600", "/send-error, 3600", "/later, 3600",
			"/declined, 3600", "/thrown, 3600", "/by-method, 120", "/condition, 3600", "/of-upstream, 3600" })
	void aFirstResponseSaysTheRetentionAndAReplayWhatIsLeft(String path, long retention) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.submit(path, key);
		assertThat(TestServer.isReplayed(first)).isFalse();
		assertThat(first.headers().allValues(HEADER)).containsExactly(Long.toString(retention));
		HttpResponse<byte[]> repeat = server.submit(path, key);
		assertThat(TestServer.isReplayed(repeat)).isTrue();
		assertThatIsWhatIsLeftOf(retention, repeat);
	}

	@Test
	void aLongerTimeOfTheMethodIsNotPromisedAtOnce() {
		assertThat(server.submit("/by-method-longer", TestServer.newKey()).headers().allValues(HEADER))
			.containsExactly("3600");
	}

	@ParameterizedTest
	@CsvSource({ "/rejects, duplicate", "/burns, duplicate", "/secret, response-unavailable" })
	void aRefusalOfACompletedOperationSaysWhatIsLeft(String path, String code) {
		String key = TestServer.newKey();
		assertThat(server.submit(path, key).headers().allValues(HEADER)).containsExactly("3600");
		HttpResponse<byte[]> repeat = server.submit(path, key);
		assertThat(TestServer.code(repeat)).isEqualTo(code);
		assertThatIsWhatIsLeftOf(3600, repeat);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/invalid", "/fails", "/fails-unknown", "/unprotected", "/burns-and-fails" })
	void aResponseThatIsNotRecordedSaysNothing(String path) {
		assertThat(TestServer.header(server.submit(path, TestServer.newKey()), HEADER)).isEmpty();
	}

	@Test
	void aResponseOverTheLimitSaysNothingAndItsRepeatWhatIsLeft() {
		String key = TestServer.newKey();
		assertThat(TestServer.header(server.submit("/large", key), HEADER)).isEmpty();
		assertThatIsWhatIsLeftOf(3600, server.submit("/large", key));
	}

	@Test
	void otherContentAndAMalformedKeySayNothing() {
		String key = TestServer.newKey();
		server.submit("/done", key);
		HttpResponse<byte[]> reused = server
			.send(server.request("/done").header("Idempotency-Key", key).POST(BodyPublishers.ofString("y")));
		assertThat(TestServer.code(reused)).isEqualTo("key-reused");
		assertThat(TestServer.header(reused, HEADER)).isEmpty();
		assertThat(TestServer.header(server.submit("/done", "a b"), HEADER)).isEmpty();
	}

	@Test
	void aRunningOperationSaysWhenToTryAgain() throws Exception {
		String key = TestServer.newKey();
		Answers.entered = new CountDownLatch(1);
		Answers.leave = new CountDownLatch(1);
		Thread first = new Thread(() -> server.submit("/held", key));
		first.start();
		try {
			Answers.entered.await();
			HttpResponse<byte[]> repeat = server.submit("/held", key);
			assertThat(TestServer.code(repeat)).isEqualTo("in-progress");
			assertThat(TestServer.header(repeat, "Retry-After")).isEqualTo("1");
			assertThat(TestServer.header(repeat, HEADER)).isEmpty();
		}
		finally {
			Answers.leave.countDown();
			first.join();
		}
	}

	@Test
	void otherKeySourcesSayNothing() {
		for (int i = 0; i < 2; i++) {
			assertThat(TestServer.header(server.send(server.post("/content", "\"x\"")), HEADER)).isEmpty();
		}
		String token = server.token();
		for (int i = 0; i < 2; i++) {
			HttpResponse<byte[]> response = server
				.send(server.request("/token-key").header("Idempotent-Token", token).POST(BodyPublishers.noBody()));
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(TestServer.header(response, HEADER)).isEmpty();
		}
	}

	@Test
	void withoutANearCacheAReplayCostsNoFurtherCall() {
		try (TestServer plain = TestServer.start(server.redis(), Answers.class,
				"idempotent.store.near-cache.enabled=false")) {
			String key = TestServer.newKey();
			assertThat(TestServer.header(plain.submit("/done", key), HEADER)).isEqualTo("86400");
			HttpResponse<byte[]> repeat = plain.submit("/done", key);
			assertThat(TestServer.isReplayed(repeat)).isTrue();
			assertThat(TestServer.header(repeat, HEADER)).isEmpty();
		}
	}

	@Test
	void onlyAClientThatKeepsItsSessionIsToldATime() {
		try (TestServer bound = TestServer.start(server.redis(), Answers.class,
				"idempotent.web.bind-to-session=true")) {
			String key = TestServer.newKey();
			HttpResponse<byte[]> opened = bound.submit("/session", key);
			assertThat(TestServer.header(opened, HEADER)).isEmpty();
			assertThat(TestServer.header(bound.submit("/done", key), HEADER)).isEqualTo("86400");
			String cookie = TestServer.header(opened, "Set-Cookie").replaceAll(";.*", "");
			HttpRequest.Builder kept = bound.post("/session", "x")
				.header("Idempotency-Key", key)
				.header("Cookie", cookie);
			HttpResponse<byte[]> run = bound.send(kept);
			assertThat(TestServer.isReplayed(run)).isFalse();
			assertThat(TestServer.header(run, HEADER)).isEqualTo("86400");
			assertThat(TestServer.isReplayed(bound.send(kept))).isTrue();
		}
	}

	@Test
	void anotherNodeKnowsWhatIsLeft() {
		String key = TestServer.newKey();
		server.submit("/done", key);
		try (TestServer other = TestServer.start(server.redis(), Answers.class)) {
			for (int i = 0; i < 2; i++) {
				assertThatIsWhatIsLeftOf(3600, other.submit("/done", key));
			}
		}
	}

	@Controller
	static class Answers {

		static volatile CountDownLatch entered = new CountDownLatch(1);

		static volatile CountDownLatch leave = new CountDownLatch(1);

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/done")
		@ResponseBody
		String done(@RequestBody String content) {
			return "done";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/session")
		@ResponseBody
		String session(HttpSession session) {
			return session.isNew() ? "opened" : "kept";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/flushed")
		void flushed(HttpServletResponse response) throws IOException {
			response.getOutputStream().print("done");
			response.flushBuffer();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/redirect")
		void redirect(HttpServletResponse response) throws IOException {
			response.sendRedirect("/elsewhere");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/send-error")
		void sendError(HttpServletResponse response) throws IOException {
			response.sendError(202, "accepted");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/later")
		@ResponseBody
		Callable<String> later() {
			return () -> "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		@PostMapping("/declined")
		ResponseEntity<String> declined() {
			return ResponseEntity.status(402).body("declined");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/thrown")
		void thrown() {
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-method")
		@ResponseBody
		String byMethod(IdempotencyContext context) {
			context.retainFor(Duration.ofMinutes(2));
			return "done";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-method-longer")
		@ResponseBody
		String byMethodLonger(IdempotencyContext context) {
			context.retainFor(Duration.ofHours(10));
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, condition = "#content != null")
		@PostMapping("/condition")
		@ResponseBody
		String condition(@RequestBody String content) {
			return content;
		}

		@ApiIdempotent(value = KeySource.HEADER, condition = "#content == null")
		@PostMapping("/unprotected")
		@ResponseBody
		String unprotected(@RequestBody String content) {
			return content;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/of-upstream")
		ResponseEntity<String> ofUpstream() {
			return ResponseEntity.ok().header(HEADER, "7").body("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejects")
		@ResponseBody
		String rejects() {
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns")
		@ResponseBody
		String burns() {
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns-and-fails")
		ResponseEntity<String> burnsAndFails() {
			return ResponseEntity.badRequest().build();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/secret")
		@ResponseBody
		String secret(IdempotencyContext context) {
			context.doNotStoreAnswer();
			return "secret";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/invalid")
		ResponseEntity<String> invalid() {
			return ResponseEntity.badRequest().body("no");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/fails")
		void fails() {
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN)
		@PostMapping("/fails-unknown")
		void failsUnknown() {
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/large")
		ResponseEntity<byte[]> large() {
			return ResponseEntity.ok(new byte[100_000]);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/held")
		ResponseEntity<Void> held() throws InterruptedException {
			entered.countDown();
			leave.await();
			return ResponseEntity.ok().header(HttpHeaders.ETAG, "\"v1\"").build();
		}

		@ApiIdempotent(key = "#content")
		@PostMapping("/content")
		@ResponseBody
		String content(@RequestBody String content) {
			return content;
		}

		@ApiIdempotent
		@PostMapping("/token-key")
		@ResponseBody
		String tokenKey() {
			return "done";
		}

	}

}
