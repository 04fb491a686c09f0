package io.idempotent.webmvc;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application may change the headers of a replay.
 */
class ReplayCustomizerTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Answers.class);

	@BeforeEach
	void reset() {
		Answers.fails.set(false);
		Answers.calls.set(0);
	}

	private static HttpResponse<byte[]> replay(String path) {
		String key = TestServer.newKey();
		server.submit(path, key);
		assertThat(Answers.calls).hasValue(0);
		HttpResponse<byte[]> replay = server.submit(path, key);
		assertThat(Answers.calls).hasValue(1);
		assertThat(TestServer.isReplayed(replay)).isTrue();
		return replay;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/created", "/in-call" })
	void headersAreAddedChangedAndRemovedInOrder(String path) {
		HttpResponse<byte[]> replay = replay(path);
		assertThat(replay.headers().allValues("X-Replay")).containsExactly("first", "second");
		assertThat(replay.headers().allValues("Link")).containsExactly("</a>", "</b>", "</c>");
		assertThat(replay.headers().allValues("Location")).containsExactly("/things/7");
		assertThat(TestServer.header(replay, "Content-Type")).isEqualTo("text/plain;charset=UTF-8");
		assertThat(TestServer.header(replay, "X-Removed")).isEmpty();
		assertThat(TestServer.header(replay, "Set-Cookie")).isEqualTo("seen=1");
		assertThat(TestServer.text(replay)).isEqualTo("created");
	}

	@Test
	void headersOfThisLibraryAndTheLengthKeepTheirValues() {
		HttpResponse<byte[]> replay = replay("/created");
		assertThat(replay.headers().allValues("Idempotency-Replayed")).containsExactly("true");
		assertThat(replay.headers().allValues("Idempotency-TTL")).singleElement()
			.satisfies((left) -> assertThat(Long.parseLong(left)).isGreaterThan(86_000));
		assertThat(replay.headers().allValues("Content-Length")).containsExactly("7");
	}

	@Test
	void eachReplayStartsFromTheStoredHeaders() {
		String key = TestServer.newKey();
		server.submit("/created", key);
		for (int i = 0; i < 3; i++) {
			assertThat(server.submit("/created", key).headers().allValues("Link")).containsExactly("</a>", "</b>",
					"</c>");
		}
	}

	@Test
	void aRedirectLeadsToTheChangedLocation() {
		HttpResponse<byte[]> replay = replay("/redirect");
		assertThat(replay.statusCode()).isEqualTo(302);
		assertThat(TestServer.header(replay, "Location")).endsWith("/moved");
	}

	@Test
	void anErrorOfTheContainerIsCustomized() {
		HttpResponse<byte[]> replay = replay("/send-error");
		assertThat(replay.statusCode()).isEqualTo(202);
		assertThat(replay.headers().allValues("X-Replay")).containsExactly("first", "second");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/created", "/in-call" })
	void aFailureIsHandledAndTheResponseRemains(String path) {
		String key = TestServer.newKey();
		server.submit(path, key);
		Answers.fails.set(true);
		HttpResponse<byte[]> failed = server.submit(path, key);
		assertThat(failed.statusCode()).isEqualTo(503);
		assertThat(TestServer.text(failed)).isEqualTo("planned");
		assertThat(TestServer.isReplayed(failed)).isFalse();
		assertThat(failed.headers().map()).doesNotContainKeys("X-Replay", "Idempotency-TTL");
		Answers.fails.set(false);
		assertThat(TestServer.text(server.submit(path, key))).isEqualTo("created");
	}

	@Test
	void aRefusalIsNotCustomized() {
		String key = TestServer.newKey();
		server.submit("/rejects", key);
		assertThat(server.submit("/rejects", key).statusCode()).isEqualTo(409);
		assertThat(Answers.calls).hasValue(0);
	}

	@Controller
	@ApiIdempotent(KeySource.HEADER)
	static class Answers {

		static final AtomicBoolean fails = new AtomicBoolean();

		static final AtomicInteger calls = new AtomicInteger();

		@Bean
		@Order(2)
		static ReplayCustomizer second() {
			return (context, request, headers) -> headers.add("X-Replay", "second");
		}

		@Bean
		@Order(1)
		static ReplayCustomizer first() {
			return (context, request, headers) -> {
				calls.incrementAndGet();
				assertThat(context.isReplay()).isTrue();
				assertThat(request.getMethod()).isEqualTo("POST");
				headers.add("X-Replay", "first");
				if (fails.get()) {
					throw new UnsupportedOperationException("planned");
				}
				headers.add("link", "</c>");
				headers.remove("X-Removed");
				headers.set("content-type", "text/plain;charset=UTF-8");
				headers.set("Idempotency-Replayed", "no");
				headers.set("Idempotency-TTL", "1");
				headers.setContentLength(1);
				headers.add(HttpHeaders.SET_COOKIE, "seen=1");
				if (URI.create("/elsewhere").equals(headers.getLocation())) {
					headers.setLocation(URI.create("/moved"));
				}
			};
		}

		private static ResponseEntity<String> createdThing() {
			return ResponseEntity.created(URI.create("/things/7"))
				.header("Link", "</a>", "</b>")
				.header("X-Removed", "yes")
				.contentType(MediaType.TEXT_HTML)
				.body("created");
		}

		@PostMapping("/created")
		ResponseEntity<String> created() {
			return createdThing();
		}

		@ApiIdempotent(value = KeySource.HEADER, condition = "#content != null")
		@PostMapping("/in-call")
		ResponseEntity<String> inCall(@RequestBody String content) {
			return createdThing();
		}

		@PostMapping("/redirect")
		void redirect(HttpServletResponse response) throws IOException {
			response.sendRedirect("/elsewhere");
		}

		@PostMapping("/send-error")
		void sendError(HttpServletResponse response) throws IOException {
			response.sendError(202, "accepted");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejects")
		ResponseEntity<String> rejects() {
			return createdThing();
		}

		@ExceptionHandler(UnsupportedOperationException.class)
		ResponseEntity<String> failed(UnsupportedOperationException ex) {
			return ResponseEntity.status(503).contentType(MediaType.TEXT_PLAIN).body(ex.getMessage());
		}

	}

}
