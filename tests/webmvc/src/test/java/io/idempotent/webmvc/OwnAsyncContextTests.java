package io.idempotent.webmvc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A handler with an {@code AsyncContext} of its own answers as it would without the
 * annotation, and its repeat is told that it is done.
 */
class OwnAsyncContextTests {

	private static final Set<String> NOT_COMPARED = Set.of("date", "connection");

	private static EmbeddedRedis redis;

	private static TestServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.start(redis, Own.class);
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@ParameterizedTest
	@EnumSource(Answered.class)
	void theFirstAnswerIsThatOfTheTwinAndARepeatIsRefused(Answered answered) {
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> twin = submit("/plain/" + answered, key);
		assertThat(comparable(submit("/once/" + answered, key))).isEqualTo(comparable(twin));
		await().until(() -> TestServer.code(submit("/once/" + answered, key)).equals("response-unavailable"));
	}

	@Test
	void aContextThatRefusesListenersLeavesNoClaimBehind() {
		String key = UUID.randomUUID().toString();
		server.send(server.request("/once/BEFORE_IT_RETURNS")
			.header("Idempotency-Key", key)
			.header("X-Unheard", "yes")
			.POST(BodyPublishers.noBody()));
		await().until(() -> TestServer.code(submit("/once/BEFORE_IT_RETURNS", key)).equals("response-unavailable"));
	}

	private static Map<String, Object> comparable(HttpResponse<byte[]> response) {
		Map<String, Object> all = new TreeMap<>();
		response.headers().map().forEach((name, values) -> {
			if (!NOT_COMPARED.contains(name.toLowerCase(Locale.ROOT))) {
				all.put(name.toLowerCase(Locale.ROOT), values);
			}
		});
		all.put(":status", response.statusCode());
		all.put(":body", TestServer.text(response).replaceAll("\"timestamp\":\"[^\"]*\"|/(plain|once)/", ""));
		return all;
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.noBody()));
	}

	/**
	 * What a handler does with its context.
	 */
	enum Answered {

		BEFORE_IT_RETURNS {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				AsyncContext own = request.startAsync();
				own.getResponse().getWriter().write("now");
				own.complete();
			}
		},

		BEFORE_IT_RETURNS_BY_STREAM {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				AsyncContext own = request.startAsync();
				own.getResponse().getOutputStream().print("now");
				own.complete();
			}
		},

		LATER {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) {
				AsyncContext own = request.startAsync();
				later(() -> {
					own.getResponse().getWriter().write("as");
					own.complete();
				});
			}
		},

		LATER_WITH_A_STATUS_AND_A_HEADER {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) {
				AsyncContext own = request.startAsync();
				later(() -> {
					HttpServletResponse answer = (HttpServletResponse) own.getResponse();
					answer.setStatus(201);
					answer.setHeader("X-Order-Id", "7");
					answer.setContentType("text/plain;charset=UTF-8");
					answer.getWriter().write("seven");
					own.complete();
				});
			}
		},

		PARTLY_LATER {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getWriter().write("head ");
				AsyncContext own = request.startAsync();
				later(() -> {
					own.getResponse().getWriter().write("tail");
					own.complete();
				});
			}
		},

		PARTLY_LATER_AFTER_A_FLUSH {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				response.getWriter().write("head ");
				response.flushBuffer();
				AsyncContext own = request.startAsync();
				later(() -> {
					own.getResponse().getWriter().write("tail");
					own.complete();
				});
			}
		},

		ERROR_LATER {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) {
				AsyncContext own = request.startAsync();
				later(() -> {
					((HttpServletResponse) own.getResponse()).sendError(409, "sold out");
					own.complete();
				});
			}
		},

		ERROR_BEFORE_IT_RETURNS {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				AsyncContext own = request.startAsync();
				((HttpServletResponse) own.getResponse()).sendError(409, "sold out");
				own.complete();
			}
		},

		REDIRECT_LATER {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) {
				AsyncContext own = request.startAsync();
				later(() -> {
					((HttpServletResponse) own.getResponse()).sendRedirect("/next");
					own.complete();
				});
			}
		},

		BY_ITS_OWN_RESPONSE {
			@Override
			void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
				AsyncContext own = request.startAsync(request, response);
				own.getResponse().getWriter().write("now");
				own.complete();
			}
		};

		abstract void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;

		private static void later(Answer answer) {
			CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(() -> {
				try {
					answer.send();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}

	}

	private interface Answer {

		void send() throws IOException;

	}

	@RestController
	static class Own {

		@Bean
		FilterRegistrationBean<Filter> unheard() {
			FilterRegistrationBean<Filter> outermost = new FilterRegistrationBean<>((request, response, chain) -> chain
				.doFilter(((HttpServletRequest) request).getHeader("X-Unheard") != null
						? new Unheard((HttpServletRequest) request) : request, response));
			outermost.setAsyncSupported(true);
			outermost.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return outermost;
		}

		@PostMapping("/plain/{answered}")
		void plain(@PathVariable("answered") Answered answered, HttpServletRequest request,
				HttpServletResponse response) throws IOException {
			answered.answer(request, response);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/once/{answered}")
		void once(@PathVariable("answered") Answered answered, HttpServletRequest request, HttpServletResponse response)
				throws IOException {
			answered.answer(request, response);
		}

	}

	/**
	 * Its context has ended before anybody could listen.
	 */
	private static final class Unheard extends HttpServletRequestWrapper {

		Unheard(HttpServletRequest request) {
			super(request);
		}

		@Override
		public AsyncContext getAsyncContext() {
			throw new IllegalStateException("planned");
		}

	}

}
