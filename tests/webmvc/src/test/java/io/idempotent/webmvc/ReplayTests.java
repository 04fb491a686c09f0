package io.idempotent.webmvc;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.embedded.EmbeddedRedis;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.View;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A repeat gets the first answer, byte for byte; what the answer means decides whether
 * there is one.
 */
class ReplayTests {

	private static EmbeddedRedis redis;

	private static TestServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		// Every repeat is answered by the store itself.
		server = TestServer.start(redis, Answers.class, "idempotent.store.near-cache.enabled=false",
				"idempotent.web.max-response-body=1KB");
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/created", "/binary", "/empty", "/no-content", "/redirect", "/redirect-view", "/writer",
			"/own-stream", "/chinese", "/flushed" })
	void isTheFirstAnswerByteForByte(String path) {
		Submissions twice = submitTwice(path);
		assertThat(twice.second().statusCode()).isEqualTo(twice.first().statusCode());
		assertThat(twice.second().body()).isEqualTo(twice.first().body());
		for (String header : new String[] { "Content-Type", "Location", "ETag", "Content-Language", "Cache-Control",
				"Link" }) {
			assertThat(twice.second().headers().allValues(header)).as(header)
				.isEqualTo(twice.first().headers().allValues(header));
		}
		assertThat(TestServer.isReplayed(twice.first())).isFalse();
		assertThat(TestServer.isReplayed(twice.second())).isTrue();
		assertThat(twice.runs()).isOne();
	}

	@Test
	void carriesStatusLocationAndEntityTag() {
		HttpResponse<byte[]> replay = submitTwice("/created").second();
		assertThat(replay.statusCode()).isEqualTo(201);
		assertThat(TestServer.header(replay, "Location")).isEqualTo("/things/7");
		assertThat(TestServer.header(replay, "ETag")).isEqualTo("\"v1\"");
		assertThat(replay.headers().allValues("Link")).containsExactly("</a>; rel=\"next\"", "</b>; rel=\"prev\"");
	}

	@Test
	void carriesTheHeadersOfTheOperationButNoCookie() {
		Submissions twice = submitTwice("/cookie");
		assertThat(twice.first().headers().firstValue("Set-Cookie")).isPresent();
		assertThat(twice.first().headers().firstValue("X-Internal")).isPresent();
		assertThat(twice.second().headers().firstValue("Set-Cookie")).isEmpty();
		assertThat(twice.second().headers().firstValue("X-Internal"))
			.isEqualTo(twice.first().headers().firstValue("X-Internal"));
	}

	@Test
	void carriesNoHeaderThatIsForTheNextHop() {
		Submissions twice = submitTwice("/next-hop");
		assertThat(twice.first().headers().firstValue("X-Hop")).isPresent();
		assertThat(TestServer.isReplayed(twice.second())).isTrue();
		assertThat(twice.second().headers().firstValue("X-Hop")).isEmpty();
	}

	@Test
	void ofAnAnswerOverTheLimitIsATombstone() {
		Submissions twice = submitTwice("/large");
		assertThat(twice.first().body()).hasSize(100_000);
		assertThat(twice.second().statusCode()).isEqualTo(409);
		assertThat(TestServer.code(twice.second())).isEqualTo("response-unavailable");
		assertThat(twice.runs()).isOne();
	}

	@Test
	void ofAnAnswerAtTheLimitIsComplete() {
		Submissions twice = submitTwice("/bound");
		assertThat(twice.second().body()).hasSize(1024).isEqualTo(twice.first().body());
	}

	@ParameterizedTest
	@ValueSource(strings = { "/fails-while-writing", "/fails-in-view" })
	void ofAnAnswerThatFailedAfterTheMethodIsATombstone(String path) {
		Submissions twice = submitTwice(path);
		assertThat(twice.first().statusCode()).isEqualTo(500);
		assertThat(twice.second().statusCode()).isEqualTo(409);
		assertThat(TestServer.code(twice.second())).isEqualTo("response-unavailable");
		assertThat(twice.runs()).isOne();
	}

	@Test
	void isRefusedIfTheHandlerForbadeStoringTheAnswer() {
		Submissions twice = submitTwice("/secret");
		assertThat(twice.first().statusCode()).isEqualTo(200);
		assertThat(TestServer.code(twice.second())).isEqualTo("response-unavailable");
		assertThat(twice.runs()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bad-request", "/send-error-404", "/throws", "/throws-mapped-to-400",
			"/throws-mapped-to-200", "/answers-500" })
	void doesNotHappenWhereNoEffectTookPlace(String path) {
		Submissions twice = submitTwice(path);
		assertThat(TestServer.isReplayed(twice.second())).isFalse();
		assertThat(twice.second().statusCode()).isEqualTo(twice.first().statusCode());
		assertThat(twice.runs()).isEqualTo(2);
	}

	@Test
	void doesNotHappenWhereTheOperationRejectsDuplicates() {
		for (String path : new String[] { "/rejects", "/burns" }) {
			Submissions twice = submitTwice(path);
			assertThat(twice.second().statusCode()).isEqualTo(409);
			assertThat(TestServer.code(twice.second())).isEqualTo("duplicate");
			assertThat(twice.runs()).isOne();
		}
	}

	@Test
	void aBurntKeyIsReleasedWhenTheOperationFailed() {
		Submissions twice = submitTwice("/burns-and-fails");
		assertThat(twice.first().statusCode()).isEqualTo(400);
		assertThat(twice.second().statusCode()).isEqualTo(400);
		assertThat(twice.runs()).isEqualTo(2);
	}

	@Test
	void theDownstreamKeyIsTheSameAfterARerun() {
		Submissions twice = submitTwice("/derived");
		assertThat(twice.runs()).isEqualTo(2);
		assertThat(TestServer.text(twice.first())).hasSize(43).isEqualTo(TestServer.text(twice.second()));
	}

	private static Submissions submitTwice(String path) {
		String key = UUID.randomUUID().toString();
		int before = Answers.runs.get();
		HttpResponse<byte[]> first = submit(path, key);
		HttpResponse<byte[]> second = submit(path, key);
		return new Submissions(first, second, Answers.runs.get() - before);
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString("x")));
	}

	private record Submissions(HttpResponse<byte[]> first, HttpResponse<byte[]> second, int runs) {
	}

	@Controller
	static class Answers {

		static final AtomicInteger runs = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/created")
		ResponseEntity<Map<String, Object>> created() {
			return ResponseEntity.created(URI.create("/things/7"))
				.eTag("v1")
				.header("Link", "</a>; rel=\"next\"", "</b>; rel=\"prev\"")
				.body(Map.of("run", runs.incrementAndGet()));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/binary")
		ResponseEntity<byte[]> binary() {
			byte[] bytes = new byte[512];
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = (byte) (i + runs.get());
			}
			runs.incrementAndGet();
			return ResponseEntity.ok().contentType(MediaType.APPLICATION_OCTET_STREAM).body(bytes);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/empty")
		ResponseEntity<Void> empty() {
			runs.incrementAndGet();
			return ResponseEntity.ok().build();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/no-content")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void noContent() {
			runs.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/redirect")
		void redirect(HttpServletResponse response) throws IOException {
			response.sendRedirect("/things/" + runs.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/redirect-view")
		String redirectView() {
			return "redirect:/things/" + runs.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/writer")
		void writer(HttpServletResponse response) throws IOException {
			response.setContentType("text/plain;charset=UTF-8");
			response.getWriter().print("dropped");
			response.resetBuffer();
			response.getWriter().print("run " + runs.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/own-stream")
		void ownStream(HttpServletResponse response) throws IOException {
			response.setContentType("application/octet-stream");
			response.getOutputStream().write(runs.incrementAndGet());
			response.getOutputStream().write(new byte[] { 1, 2, 3 });
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/chinese")
		ResponseEntity<String> chinese() {
			return ResponseEntity.ok()
				.contentType(MediaType.parseMediaType("text/plain;charset=GBK"))
				.body("订单" + runs.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/flushed")
		void flushed(HttpServletResponse response) throws IOException {
			response.getOutputStream().print("run " + runs.incrementAndGet());
			response.flushBuffer();
			response.setHeader("ETag", "\"after the flush\"");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/next-hop")
		ResponseEntity<String> nextHop() {
			return ResponseEntity.ok().header("Connection", "X-Hop").header("X-Hop", "hop").body("done");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/cookie")
		ResponseEntity<String> cookie(HttpServletResponse response) {
			runs.incrementAndGet();
			response.addCookie(new Cookie("session", "secret"));
			return ResponseEntity.ok().header("X-Internal", "node-1").body("ok");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/large")
		ResponseEntity<byte[]> large() {
			runs.incrementAndGet();
			return ResponseEntity.ok(new byte[100_000]);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/bound")
		ResponseEntity<byte[]> bound() {
			runs.incrementAndGet();
			return ResponseEntity.ok(new byte[1024]);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/fails-while-writing")
		@ResponseBody
		Object failsWhileWriting() {
			runs.incrementAndGet();
			return new Unwritable("begins well");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/fails-in-view")
		View failsInView() {
			runs.incrementAndGet();
			return (model, request, response) -> {
				throw new IllegalStateException("cannot be rendered");
			};
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/secret")
		ResponseEntity<String> secret(IdempotencyContext context) {
			runs.incrementAndGet();
			context.doNotStoreAnswer();
			return ResponseEntity.ok("secret");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/bad-request")
		ResponseEntity<String> badRequest() {
			runs.incrementAndGet();
			return ResponseEntity.badRequest().body("no");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/send-error-404")
		void sendError(HttpServletResponse response) throws IOException {
			runs.incrementAndGet();
			response.sendError(404, "not there");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/throws")
		void throwsException() {
			runs.incrementAndGet();
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/throws-mapped-to-400")
		void throwsMapped() {
			runs.incrementAndGet();
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/throws-mapped-to-200")
		void throwsMappedToOk() {
			runs.incrementAndGet();
			throw new UnsupportedOperationException("planned");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/answers-500")
		ResponseEntity<String> answers500() {
			runs.incrementAndGet();
			return ResponseEntity.internalServerError().body("no");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejects")
		ResponseEntity<String> rejects() {
			runs.incrementAndGet();
			return ResponseEntity.ok("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns")
		ResponseEntity<String> burns() {
			runs.incrementAndGet();
			return ResponseEntity.ok("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns-and-fails")
		ResponseEntity<String> burnsAndFails() {
			runs.incrementAndGet();
			return ResponseEntity.badRequest().body("no");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/derived")
		ResponseEntity<String> derived(IdempotencyContext context) {
			runs.incrementAndGet();
			assertThat(context.isReplay()).isFalse();
			assertThat(context.operation()).isEqualTo("Answers.derived");
			assertThat(context.key()).isNotEqualTo(context.derivedKey("charge"));
			// 4xx gives the key back, so that the operation runs again.
			return ResponseEntity.badRequest().body(context.derivedKey("charge"));
		}

		@ExceptionHandler(UnsupportedOperationException.class)
		ResponseEntity<String> errorCodeIn200(UnsupportedOperationException ex) {
			return ResponseEntity.ok("{\"code\":500}");
		}

	}

	/**
	 * What breaks in the middle of being written.
	 */
	public record Unwritable(String before) {

		public String getBroken() {
			if (this.before.isEmpty()) {
				return "whole";
			}
			throw new IllegalStateException("cannot be written");
		}

	}

}
