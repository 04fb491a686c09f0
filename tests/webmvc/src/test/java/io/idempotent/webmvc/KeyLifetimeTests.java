package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import jakarta.servlet.http.HttpSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses to operations with a header key say how long the key is remembered, as those
 * of all handlers in tests/http, and replayed errors.
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
	@CsvSource({ "/done, 3600", "/by-method, 120", "/condition, 3600", "/of-upstream, 3600" })
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
	@ValueSource(strings = { "/fails-unknown", "/unprotected", "/burns-and-fails" })
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

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Answers {

		@PostMapping("/done")
		String done(@RequestBody String content) {
			return "done";
		}

		@PostMapping("/session")
		String session(HttpSession session) {
			return session.isNew() ? "opened" : "kept";
		}

		@PostMapping("/by-method")
		String byMethod(IdempotencyContext context) {
			context.retainFor(Duration.ofMinutes(2));
			return "done";
		}

		@PostMapping("/by-method-longer")
		String byMethodLonger(IdempotencyContext context) {
			context.retainFor(Duration.ofHours(10));
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, condition = "#content != null")
		@PostMapping("/condition")
		String condition(@RequestBody String content) {
			return content;
		}

		@ApiIdempotent(value = KeySource.HEADER, condition = "#content == null")
		@PostMapping("/unprotected")
		String unprotected(@RequestBody String content) {
			return content;
		}

		@PostMapping("/of-upstream")
		ResponseEntity<String> ofUpstream() {
			return ResponseEntity.ok().header(HEADER, "7").body("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejects")
		String rejects() {
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns")
		String burns() {
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns-and-fails")
		ResponseEntity<String> burnsAndFails() {
			return ResponseEntity.badRequest().build();
		}

		@PostMapping("/secret")
		String secret(IdempotencyContext context) {
			context.doNotStoreAnswer();
			return "secret";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN)
		@PostMapping("/fails-unknown")
		void failsUnknown() {
			throw new IllegalStateException("planned");
		}

		@PostMapping("/large")
		ResponseEntity<byte[]> large() {
			return ResponseEntity.ok(new byte[100_000]);
		}

		@ApiIdempotent(key = "#content")
		@PostMapping("/content")
		String content(@RequestBody String content) {
			return content;
		}

		@ApiIdempotent
		@PostMapping("/token-key")
		String tokenKey() {
			return "done";
		}

	}

}
