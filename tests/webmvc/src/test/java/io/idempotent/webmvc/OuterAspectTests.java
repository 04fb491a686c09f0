package io.idempotent.webmvc;

import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Aspects of the application that are further outside than idempotency.
 */
@ExtendWith(OutputCaptureExtension.class)
class OuterAspectTests {

	private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

	@RegisterExtension
	static final TestServer server = TestServer.of(Shop.class, "idempotent.web.max-response-body=1000B");

	@Test
	void aMethodThatRunsOnAnotherThreadRunsOnce() throws IOException {
		String key = TestServer.newKey();
		assertThat(TestServer.text(submit("/elsewhere/header", key))).isEqualTo("1");
		HttpResponse<byte[]> repeat = submit("/elsewhere/header", key);
		assertThat(TestServer.text(repeat)).isEqualTo("1");
		assertThat(TestServer.isReplayed(repeat)).isTrue();
		assertThat(answerOfFlushed("/elsewhere/header", key)).contains("200").doesNotEndWith(LAST_CHUNK);
		assertThat(TestServer.text(submit("/elsewhere/header", TestServer.newKey()))).isEqualTo("2");
	}

	/** A filter sends the response before the handler is reached. */
	private static String answerOfFlushed(String path, String key) throws IOException {
		try (RawHttp client = RawHttp.connect(server)) {
			client.head("POST " + path + " HTTP/1.1", "Content-Length: 0", "X-Flushed: true", "Connection: close",
					"Idempotency-Key: " + key);
			return client.answer();
		}
	}

	@Test
	void aFailureOnAnotherThreadReleasesTheKey() {
		Shop.failures.set(0);
		String key = TestServer.newKey();
		assertThat(submit("/elsewhere/fails", key).statusCode()).isEqualTo(500);
		assertThat(submit("/elsewhere/fails", key).statusCode()).isEqualTo(500);
		assertThat(Shop.failures).hasValue(2);
	}

	@Test
	void aResultThatComesLaterFromAnotherThreadIsReplayed() {
		String key = TestServer.newKey();
		assertThat(TestServer.text(submit("/elsewhere/later?fails=false", key))).isEqualTo("later");
		HttpResponse<byte[]> repeat = submit("/elsewhere/later?fails=false", key);
		assertThat(TestServer.text(repeat)).isEqualTo("later");
		assertThat(TestServer.isReplayed(repeat)).isTrue();
	}

	@Test
	void aFailureThatComesLaterFromAnotherThreadReleasesTheKey() {
		String key = TestServer.newKey();
		assertThat(submit("/elsewhere/later?fails=true", key).statusCode()).isEqualTo(500);
		assertThat(submit("/elsewhere/later?fails=true", key).statusCode()).isEqualTo(500);
	}

	@Test
	void aKeyThatTheMethodWouldGiveProtectsNothingAndTheLogSaysSo(CapturedOutput output) {
		submit("/elsewhere/expression?id=1", "");
		submit("/elsewhere/expression?id=1", "");
		assertThat(output.toString().split("Operation 'Shop.expression' was answered without a claim", -1)).hasSize(2);
	}

	@Test
	void aReplayThatAnAspectCatchesIsSent() {
		assertThat(TestServer.text(submit("/catches?id=1", ""))).isEqualTo("caught 1");
		HttpResponse<byte[]> repeat = submit("/catches?id=1", "");
		assertThat(repeat.statusCode()).isEqualTo(200);
		assertThat(TestServer.text(repeat)).isEqualTo("caught 1");
		assertThat(TestServer.isReplayed(repeat)).isTrue();
	}

	@Test
	void aDeniedReplayThatAnAspectCatchesIsDenied() {
		submit("/catches?id=3", "");
		HttpResponse<byte[]> repeat = server.send(server.post("/catches?id=3", "{}").header("X-Barred", "true"));
		assertThat(repeat.statusCode()).isEqualTo(403);
		assertThat(TestServer.text(repeat)).doesNotContain("caught 3");
	}

	@Test
	void aDeniedReplayThatAnAspectAnswersLateIsDenied() {
		submit("/late?id=4", "");
		HttpResponse<byte[]> repeat = server.send(server.post("/late?id=4", "{}").header("X-Barred", "true"));
		assertThat(repeat.statusCode()).isEqualTo(403);
		assertThat(TestServer.text(repeat)).doesNotContain("result 4");
	}

	@Test
	void aRefusalThatAnAspectCatchesIsSent() {
		submit("/catches?id=2", "");
		HttpResponse<byte[]> other = server
			.send(server.request("/catches?id=2").POST(HttpRequest.BodyPublishers.ofString("other")));
		assertThat(TestServer.code(other)).isEqualTo("key-reused");
	}

	@ParameterizedTest
	@CsvSource({ "5, 2000, {}, 200", "6, 2000, other, 422", "7, 0, {}, 200" })
	void whatAnAspectHasWrittenIsNoPartOfAReplayOrRefusal(String id, int written, String body, int status) {
		submit("/writes?id=" + id, "");
		HttpResponse<byte[]> repeat = server
			.send(server.post("/writes?id=" + id, body).header("X-Written", String.valueOf(written)));
		assertThat(repeat.statusCode()).isEqualTo(status);
		assertThat(TestServer.text(repeat)).doesNotContain("~")
			.contains((status == 200) ? "written " + id : "key-reused");
	}

	@ParameterizedTest
	@CsvSource({ "8, {}", "9, other" })
	void aResponseThatAnAspectHasSentIsBrokenOffInsteadOfContinuedByAReplayOrRefusal(String id, String body)
			throws IOException {
		submit("/writes?id=" + id, "");
		try (RawHttp client = RawHttp.connect(server)) {
			client.head("POST /writes?id=" + id + " HTTP/1.1", "Content-Type: application/json",
					"Content-Length: " + body.length(), "X-Written: 100000", "Connection: close");
			assertThat(client.body(body).answer()).doesNotContain("written")
				.doesNotContain("key-reused")
				.doesNotEndWith(LAST_CHUNK);
		}
	}

	@Test
	void aFailureThatLooksLikeALostClientBreaksOffAResponseThatIsSent(CapturedOutput output) throws IOException {
		try (RawHttp client = RawHttp.connect(server)) {
			client.head("POST /sent HTTP/1.1", "Content-Type: application/json", "Content-Length: 0",
					"Connection: close", "Idempotency-Key: " + TestServer.newKey());
			assertThat(client.answer()).contains("~").doesNotEndWith(LAST_CHUNK);
		}
		assertThat(output).contains("the database has gone")
			.doesNotContain("Cannot call sendError()")
			.doesNotContain("its response is a 500");
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		HttpRequest.Builder request = server.post(path, "{}");
		return server.send(key.isEmpty() ? request : request.header("Idempotency-Key", key));
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Shop {

		static final AtomicInteger failures = new AtomicInteger();

		private final AtomicInteger runs = new AtomicInteger();

		@Bean
		static Filter flushing() {
			return (request, response, chain) -> {
				if (((HttpServletRequest) request).getHeader("X-Flushed") != null) {
					response.flushBuffer();
				}
				chain.doFilter(request, response);
			};
		}

		@PostMapping("/elsewhere/header")
		String header() {
			return String.valueOf(this.runs.incrementAndGet());
		}

		@PostMapping("/elsewhere/fails")
		String fails() {
			failures.incrementAndGet();
			throw new IllegalStateException("planned");
		}

		@PostMapping("/elsewhere/later")
		CompletableFuture<String> later(@RequestParam("fails") boolean fails) {
			return fails ? CompletableFuture.failedFuture(new IllegalStateException("planned"))
					: CompletableFuture.completedFuture("later");
		}

		@ApiIdempotent(key = "#id")
		@PostMapping("/elsewhere/expression")
		String expression(@RequestParam("id") String id) {
			return id;
		}

		@ApiIdempotent(key = "#id")
		@PostMapping("/catches")
		String catches(@RequestParam("id") String id) {
			return id;
		}

		@ApiIdempotent(key = "#id")
		@PostMapping("/late")
		Object late(@RequestParam("id") String id) {
			return "result " + id;
		}

		@ApiIdempotent(key = "#id")
		@PostMapping("/writes")
		String writes(@RequestParam("id") String id, HttpServletRequest request, HttpServletResponse response) {
			return "written " + id;
		}

		@PostMapping("/sent")
		void sent(HttpServletResponse response) throws IOException {
			write(100_000, response);
			throw new EOFException("the database has gone");
		}

		static void write(int length, HttpServletResponse response) throws IOException {
			response.getOutputStream().print("~".repeat(length));
		}

		@Bean
		static ReplayAuthorizer authorizer() {
			return (context, request) -> {
				if (request.getHeader("X-Barred") != null) {
					throw new ResponseStatusException(HttpStatus.FORBIDDEN);
				}
			};
		}

		@Bean
		static Outside outside() {
			return new Outside();
		}

	}

	@Aspect
	@Order(-1000)
	static class Outside {

		@Around("execution(* io.idempotent.webmvc.OuterAspectTests.Shop.header()) "
				+ "|| execution(* io.idempotent.webmvc.OuterAspectTests.Shop.fails()) "
				+ "|| execution(* io.idempotent.webmvc.OuterAspectTests.Shop.expression(..))")
		Object elsewhere(ProceedingJoinPoint call) {
			return CompletableFuture.supplyAsync(() -> {
				try {
					return call.proceed();
				}
				catch (Throwable ex) {
					throw new CompletionException(ex);
				}
			}).join();
		}

		@Around("execution(* io.idempotent.webmvc.OuterAspectTests.Shop.later(..))")
		@SuppressWarnings({ "unchecked", "FutureReturnValueIgnored" })
		Object laterElsewhere(ProceedingJoinPoint call) {
			return CompletableFuture.supplyAsync(() -> (CompletableFuture<Object>) elsewhere(call))
				.thenCompose((result) -> result);
		}

		@Around("execution(* io.idempotent.webmvc.OuterAspectTests.Shop.catches(..))")
		Object catching(ProceedingJoinPoint call) {
			try {
				return "caught " + call.proceed();
			}
			catch (Throwable ex) {
				return "caught " + ex;
			}
		}

		@Around("execution(* io.idempotent.webmvc.OuterAspectTests.Shop.writes(..)) && args(*, request, response)")
		Object writing(ProceedingJoinPoint call, HttpServletRequest request, HttpServletResponse response)
				throws Throwable {
			if (request.getHeader("X-Written") != null) {
				Shop.write(request.getIntHeader("X-Written"), response);
			}
			return call.proceed();
		}

		@Around("execution(* io.idempotent.webmvc.OuterAspectTests.Shop.late(..))")
		Object answeringLate(ProceedingJoinPoint call) throws Throwable {
			try {
				return call.proceed();
			}
			catch (ResponseStatusException denied) {
				return new DeferredResult<>(100L, "nothing for you");
			}
		}

	}

}
