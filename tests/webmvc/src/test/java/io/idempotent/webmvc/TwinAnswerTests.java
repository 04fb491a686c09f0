package io.idempotent.webmvc;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.view.InternalResourceView;
import org.springframework.web.servlet.view.RedirectView;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The twin rule on Tomcat: the first answer of an annotated handler is that of the same
 * handler without the annotation, and a repeat is that answer again.
 */
class TwinAnswerTests {

	/** What no two answers have in common, or what a replay adds. */
	private static final Set<String> NOT_COMPARED = Set.of("date", "connection", "idempotency-replayed",
			"idempotency-ttl");

	private static EmbeddedRedis redis;

	private static TestServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.start(redis, Twins.class, "idempotent.store.near-cache.enabled=false");
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@ParameterizedTest
	@EnumSource(Written.class)
	void aWrittenResponseEqualsThatOfTheTwin(Written written) {
		assertTwins(written.name());
	}

	@ParameterizedTest
	@ValueSource(strings = { "forward", "forward-to-servlet", "include-view", "view", "redirect-view", "see-other",
			"accepted-with-reason", "resource", "custom-header", "no-content" })
	void aReturnedResponseEqualsThatOfTheTwin(String path) {
		assertTwins(path);
	}

	@Test
	void anExceptionLikeADisconnectIsNotASuccess() {
		for (String path : List.of("end-of-file", "connection-reset")) {
			int before = Twins.runs.get();
			String key = UUID.randomUUID().toString();
			HttpResponse<byte[]> first = submit("/once/" + path, key);
			assertThat(first.statusCode()).as(path).isEqualTo(500);
			assertThat(first.body()).isNotEmpty();
			submit("/once/" + path, key);
			assertThat(Twins.runs).as("released").hasValue(before + 2);
		}
	}

	@Test
	void anExceptionHandlerOfTheApplicationHandlesIt() {
		HttpResponse<byte[]> first = submit("/once/handled-end-of-file", UUID.randomUUID().toString());
		assertThat(first.statusCode()).isEqualTo(502);
		assertThat(TestServer.text(first)).isEqualTo("the database is away");
	}

	@Test
	void aSessionIdInALocationIsNotReplayed() {
		for (String path : List.of("session-redirect", "session-location", "session-header")) {
			String key = UUID.randomUUID().toString();
			HttpResponse<byte[]> first = submit("/once/" + path, key);
			String location = TestServer.header(first, path.equals("session-header") ? "X-Next" : "Location");
			assertThat(location).as(path).contains(";jsessionid=");
			HttpResponse<byte[]> second = submit("/once/" + path, key);
			assertThat(second.statusCode()).isEqualTo(first.statusCode());
			assertThat(TestServer.isReplayed(second)).isTrue();
			assertThat(second.headers().map().toString()).as(path)
				.doesNotContain(location.substring(location.indexOf(';') + ";jsessionid=".length()))
				.contains("/next?a=b");
		}
	}

	@Test
	void anAnswerWithASessionIdInItsBodyIsNotReplayed() {
		for (String path : List.of("session-body", "session-body-by-hand", "session-id-header")) {
			String key = UUID.randomUUID().toString();
			HttpResponse<byte[]> first = submit("/once/" + path, key);
			assertThat(first.statusCode()).isEqualTo(200);
			HttpResponse<byte[]> second = submit("/once/" + path, key);
			String id = TestServer.header(first, "X-Session-For-Test");
			assertThat(second.headers().map() + TestServer.text(second)).as(path).doesNotContain(id);
			assertThat(TestServer.code(second)).as(path).isEqualTo("response-unavailable");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-16", "UTF-16LE", "UTF-32", "gzip" })
	void anAnswerThatEncodesASessionIdIsNotReplayed(String encoding) {
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit("/once/session-encoded/" + encoding, key);
		assertThat(first.statusCode()).isEqualTo(200);
		HttpResponse<byte[]> second = submit("/once/session-encoded/" + encoding, key);
		assertThat(TestServer.code(second)).isEqualTo("response-unavailable");
	}

	@Test
	void anEncodedAnswerIsReplayedWhereThereIsNoSession() {
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit("/once/encoded", key);
		HttpResponse<byte[]> second = submit("/once/encoded", key);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body()).isNotEmpty();
	}

	@Test
	void anAnswerThatCannotBeRecordedIsATombstone() {
		int before = Twins.runs.get();
		String key = UUID.randomUUID().toString();
		submit("/once/long-header", key);
		HttpResponse<byte[]> second = submit("/once/long-header", key);
		assertThat(TestServer.code(second)).isEqualTo("response-unavailable");
		assertThat(Twins.runs).hasValue(before + 1);
	}

	@Test
	void aPartOfAnAnswerIsNotReplayed() {
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = server.send(server.request("/once/resource")
			.header("Idempotency-Key", key)
			.header("Range", "bytes=0-3")
			.POST(BodyPublishers.noBody()));
		assertThat(first.statusCode()).isEqualTo(206);
		assertThat(TestServer.header(first, "Content-Range")).isEqualTo("bytes 0-3/10");
		HttpResponse<byte[]> second = server.send(server.request("/once/resource")
			.header("Idempotency-Key", key)
			.header("Range", "bytes=4-7")
			.POST(BodyPublishers.noBody()));
		assertThat(TestServer.code(second)).isEqualTo("response-unavailable");
	}

	private static void assertTwins(String path) {
		int before = Twins.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> twin = submit("/plain/" + path, key);
		HttpResponse<byte[]> first = submit("/once/" + path, key);
		HttpResponse<byte[]> second = submit("/once/" + path, key);
		assertThat(Twins.runs).as("the twin and one run").hasValue(before + 2);
		assertThat(comparable(first)).as("the first answer").isEqualTo(comparable(twin));
		assertThat(TestServer.isReplayed(first)).isFalse();
		assertThat(unframed(comparable(second))).as("the repeat").isEqualTo(unframed(comparable(twin)));
		assertThat(TestServer.isReplayed(second)).isTrue();
	}

	private static Map<String, Object> comparable(HttpResponse<byte[]> response) {
		Map<String, Object> all = new TreeMap<>();
		response.headers().map().forEach((name, values) -> {
			if (!NOT_COMPARED.contains(name.toLowerCase(Locale.ROOT))) {
				all.put(name.toLowerCase(Locale.ROOT), values.toString().replaceAll("/(plain|once)/", ""));
			}
		});
		all.put(":status", response.statusCode());
		all.put(":body", TestServer.text(response).replaceAll("\"timestamp\":\"[^\"]*\"|/(plain|once)/", ""));
		return all;
	}

	private static Map<String, Object> unframed(Map<String, Object> answer) {
		answer.keySet().removeAll(Set.of("content-length", "transfer-encoding"));
		return answer;
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString("x")));
	}

	/**
	 * Answers that a handler writes by itself.
	 */
	enum Written {

		NOTHING {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) {
			}
		},

		FORWARD {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				request.getRequestDispatcher("/target").forward(request, response);
			}
		},

		FORWARD_FROM_THE_CONTEXT {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				request.getServletContext().getRequestDispatcher("/servlet").forward(request, response);
			}
		},

		FORWARD_TO_A_REDIRECT {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				request.getRequestDispatcher("/servlet?redirect").forward(request, response);
			}
		},

		WRITE_AFTER_FORWARD {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				request.getRequestDispatcher("/servlet").forward(request, response);
				response.setHeader("X-Late", "yes");
				response.getWriter().print("late");
			}
		},

		INCLUDE {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				response.setContentType("text/plain;charset=UTF-8");
				response.getWriter().print("before ");
				request.getRequestDispatcher("/servlet").include(request, response);
				response.getWriter().print(" after");
			}
		},

		INCLUDE_OF_A_REDIRECT {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				response.getWriter().print("before ");
				request.getRequestDispatcher("/servlet?redirect").include(request, response);
				response.getWriter().print(" after");
			}
		},

		REDIRECT {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getWriter().print("dropped");
				response.sendRedirect("next?a=b");
				response.setHeader("X-Late", "yes");
				response.getWriter().print("late");
			}
		},

		REDIRECT_WITH_STATUS {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.sendRedirect("/next", 308);
			}
		},

		REDIRECT_WITH_BODY {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getWriter().print("kept");
				response.sendRedirect("/next", 303, false);
			}
		},

		ERROR_THAT_IS_NONE {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setHeader("X-Before", "kept");
				response.getOutputStream().print("dropped");
				response.sendError(202, "queued");
				response.setHeader("X-Late", "yes");
				response.getOutputStream().print("late");
			}
		},

		CLOSED_STREAM {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getOutputStream().print("whole");
				response.getOutputStream().close();
				response.setHeader("X-Late", "yes");
				response.setStatus(201);
			}
		},

		CLOSED_WRITER {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				try (PrintWriter writer = response.getWriter()) {
					writer.print("whole");
				}
				response.getWriter().print("late");
			}
		},

		FLUSHED {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setHeader("X-Early", "yes");
				response.getOutputStream().print("early ");
				response.flushBuffer();
				response.setHeader("X-Late", "yes");
				response.setStatus(201);
				response.getOutputStream().print("late " + response.isCommitted());
			}
		},

		FLUSHED_STREAM {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getOutputStream().print("early ");
				response.getOutputStream().flush();
				response.addHeader("X-Late", "yes");
				response.getOutputStream().print("late " + response.isCommitted());
			}
		},

		LONGER_THAN_THE_BUFFER {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getOutputStream().write(new byte[100_000]);
				response.setHeader("X-Late", "yes");
				response.getOutputStream().print("late " + response.isCommitted());
			}
		},

		CONTENT_LENGTH {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setContentLength(5);
				response.getOutputStream().print("12345");
			}
		},

		WRITER_IN_UTF_8 {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setContentType("text/html");
				response.setCharacterEncoding("UTF-8");
				response.getWriter().print("订单");
			}
		},

		WRITER_WITHOUT_TYPE {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getWriter().print("plain");
			}
		},

		LANGUAGE {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setLocale(Locale.CANADA_FRENCH);
				response.getWriter().print("oui");
			}
		},

		RESET {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.setHeader("X-Dropped", "yes");
				response.getWriter().print("dropped");
				response.reset();
				response.getOutputStream().print("kept");
			}
		},

		HEADERS {
			@Override
			void write(HttpServletRequest request, HttpServletResponse response) {
				response.addHeader("X-Order-Id", "1");
				response.addHeader("X-Order-Id", "2");
				response.setIntHeader("X-Number", 7);
				response.addDateHeader("X-When", 1_000_000_000_000L);
				response.setHeader("Cache-Control", "max-age=60");
			}
		};

		abstract void write(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException;

	}

	@Controller
	static class Twins {

		static final AtomicInteger runs = new AtomicInteger();

		@Bean
		static ServletRegistrationBean<HttpServlet> servlet() {
			return new ServletRegistrationBean<>(new Target(), "/servlet");
		}

		@PostMapping("/target")
		@ResponseBody
		ResponseEntity<String> target() {
			return ResponseEntity.status(201).header("X-Target", "1").body("forwarded");
		}

		@PostMapping("/plain/{written:[A-Z_0-9]+}")
		void plainWritten(@PathVariable Written written, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			runs.incrementAndGet();
			written.write(request, response);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/{written:[A-Z_0-9]+}")
		void onceWritten(@PathVariable Written written, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			plainWritten(written, request, response);
		}

		@PostMapping("/plain/{path:[a-z-]+}")
		Object plain(@PathVariable String path) {
			runs.incrementAndGet();
			return switch (path) {
				case "forward" -> "forward:/target";
				case "forward-to-servlet" -> new InternalResourceView("/servlet");
				case "include-view" -> (View) (model, request, response) -> {
					response.setContentType("text/html;charset=UTF-8");
					request.getRequestDispatcher("/servlet").include(request, response);
				};
				case "view" -> (View) (model, request, response) -> {
					response.setContentType("text/html;charset=UTF-8");
					response.getWriter().print("<p>订单</p>");
				};
				case "redirect-view" -> "redirect:/next?a=b";
				case "see-other" -> seeOther();
				case "resource" -> ResponseEntity.ok()
					.contentType(MediaType.TEXT_PLAIN)
					.body(new ByteArrayResource("0123456789".getBytes(StandardCharsets.UTF_8)));
				case "custom-header" -> ResponseEntity.ok().header("X-Order-Id", "1", "2").body("ok");
				case "no-content" -> ResponseEntity.noContent().build();
				default -> throw new IllegalArgumentException(path);
			};
		}

		private static RedirectView seeOther() {
			RedirectView view = new RedirectView("/next?a=b");
			view.setStatusCode(HttpStatus.SEE_OTHER);
			return view;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/{path:[a-z-]+}")
		Object once(@PathVariable String path) {
			return plain(path);
		}

		@PostMapping("/plain/accepted-with-reason")
		@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "queued")
		void plainReason() {
			runs.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/accepted-with-reason")
		@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "queued")
		void reason() {
			runs.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/end-of-file")
		ResponseEntity<String> endOfFile() throws IOException {
			runs.incrementAndGet();
			throw new IOException("the database", new EOFException());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/connection-reset")
		ResponseEntity<String> connectionReset() {
			runs.incrementAndGet();
			throw new IllegalStateException("the database", new IOException("Connection reset"));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/handled-end-of-file")
		ResponseEntity<String> handledEndOfFile() {
			throw new Handled(new EOFException());
		}

		@org.springframework.web.bind.annotation.ExceptionHandler
		ResponseEntity<String> handled(Handled ex) {
			return ResponseEntity.status(502).body("the database is away");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-redirect")
		void sessionRedirect(HttpServletRequest request, HttpServletResponse response) throws IOException {
			request.getSession();
			response.sendRedirect(response.encodeRedirectURL("/next?a=b"));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-location")
		ResponseEntity<String> sessionLocation(HttpServletRequest request, HttpServletResponse response) {
			request.getSession();
			return ResponseEntity.status(201).header("Location", response.encodeURL("/next?a=b")).body("made");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-header")
		ResponseEntity<String> sessionHeader(HttpServletRequest request) {
			return ResponseEntity.ok()
				.header("X-Next", "/next;jsessionid=" + request.getSession().getId() + "?a=b")
				.body("made");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-body")
		ResponseEntity<String> sessionBody(HttpServletRequest request, HttpServletResponse response) {
			response.setHeader("X-Session-For-Test", request.getSession().getId());
			return ResponseEntity.ok().body("<a href='" + response.encodeURL("/next") + "'>next</a>");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-body-by-hand")
		ResponseEntity<String> sessionBodyByHand(HttpServletRequest request, HttpServletResponse response) {
			String id = request.getSession().getId();
			response.setHeader("X-Session-For-Test", id);
			return ResponseEntity.ok().body("{\"session\":\"" + id + "\"}");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-encoded/{encoding}")
		void sessionEncoded(@PathVariable String encoding, HttpServletRequest request, HttpServletResponse response)
				throws IOException {
			String id = request.getSession().getId();
			if (encoding.equals("gzip")) {
				writeZipped(id, response);
				return;
			}
			response.setContentType("text/plain;charset=" + encoding);
			response.getOutputStream().write(id.getBytes(Charset.forName(encoding)));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/encoded")
		void encoded(HttpServletResponse response) throws IOException {
			writeZipped("no secret", response);
		}

		private static void writeZipped(String text, HttpServletResponse response) throws IOException {
			response.setHeader("Content-Encoding", "gzip");
			try (GZIPOutputStream out = new GZIPOutputStream(response.getOutputStream())) {
				out.write(text.getBytes(StandardCharsets.UTF_8));
			}
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/session-id-header")
		ResponseEntity<String> sessionIdHeader(HttpServletRequest request) {
			return ResponseEntity.ok().header("X-Session-For-Test", request.getSession().getId()).body("ok");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/long-header")
		ResponseEntity<String> longHeader() {
			runs.incrementAndGet();
			return ResponseEntity.ok().header("ETag", '"' + "x".repeat(70_000) + '"').body("done");
		}

	}

	/**
	 * As a JSP does.
	 */
	private static final class Target extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
			if (request.getParameter("redirect") != null) {
				response.sendRedirect("/elsewhere");
				return;
			}
			response.setContentType("text/html;charset=UTF-8");
			response.setHeader("X-Target", "servlet");
			response.getWriter().print("<p>订单</p>");
			response.flushBuffer();
		}

	}

	private static final class Handled extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Handled(Throwable cause) {
			super(cause);
		}

	}

}
