package io.idempotent.webmvc;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Filters in front of the library's and behind it that fail or answer after the handler
 * method: what took effect does not take effect again.
 */
class InterferingFilterTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Shop.class);

	@ParameterizedTest
	@ValueSource(strings = { "in-front", "behind" })
	void aTaskThatOutlivesItsRequestIsCompletedWithoutResponse(String filter) throws Exception {
		Orders.hold();
		String key = TestServer.newKey();
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture
			.supplyAsync(() -> submit("/later", key, filter, Fault.THROW_WHILE_IT_RUNS));
		assertThat(first.get().statusCode()).isEqualTo(500);
		Orders.release.countDown();
		await().until(() -> !TestServer.code(server.submit("/later", key)).equals("in-progress"));
		TestServer.assertRefused(server.submit("/later", key), 409, "response-unavailable");
		assertThat(Orders.placed).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource({ "in-front, /later", "behind, /later", "in-front, /deferred", "behind, /deferred" })
	void whatTookEffectBeforeAFilterFailedTakesNoEffectAgain(String filter, String path) {
		Orders.hold().countDown();
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = submit(path, key, filter, Fault.THROW);
		await().until(() -> !TestServer.code(server.submit(path, key)).equals("in-progress"));
		HttpResponse<byte[]> repeat = server.submit(path, key);
		// The container or the pool of threads may be the faster one.
		if (!TestServer.code(repeat).equals("response-unavailable") && first.statusCode() == 200) {
			TestServer.assertReplays(first, repeat);
		}
		assertThat(Orders.placed).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource({ "SEND_ERROR, /later", "SEND_ERROR, /now", "SET_STATUS, /now", "SET_STATUS, /replaying-errors" })
	void anErrorOfAFilterDoesNotSayThatTheMethodHadNoEffect(Fault fault, String path) {
		Orders.hold().countDown();
		String key = TestServer.newKey();
		assertThat(submit(path, key, "behind", fault).statusCode()).isEqualTo(418);
		HttpResponse<byte[]> repeat = server.submit(path, key);
		assertThat(repeat.statusCode()).isEqualTo(418);
		assertThat(TestServer.isReplayed(repeat)).isTrue();
		assertThat(Orders.placed).hasValue(1);
	}

	@Test
	void anExceptionOfATaskSaysAsBeforeThatItHadNoEffect() {
		String key = TestServer.newKey();
		int before = Orders.refused.get();
		assertThat(server.submit("/refused-later", key).statusCode()).isEqualTo(404);
		assertThat(server.submit("/refused-later", key).statusCode()).isEqualTo(404);
		assertThat(Orders.refused).hasValue(before + 2);
	}

	private static HttpResponse<byte[]> submit(String path, String key, String filter, Fault fault) {
		return server.send(server.post(path, "{}").header("Idempotency-Key", key).header(filter, fault.name()));
	}

	enum Fault {

		THROW, THROW_WHILE_IT_RUNS, SEND_ERROR, SET_STATUS

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Orders.class)
	static class Shop {

		@Bean
		FilterRegistrationBean<Filter> inFront() {
			return filter("in-front", -60);
		}

		@Bean
		FilterRegistrationBean<Filter> behind() {
			return filter("behind", -40);
		}

		private static FilterRegistrationBean<Filter> filter(String name, int order) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				chain.doFilter(request, response);
				fail(name, request, response);
			});
			registration.setName(name);
			registration.setOrder(order);
			return registration;
		}

		private static void fail(String filter, ServletRequest request, ServletResponse response)
				throws IOException, ServletException {
			String fault = ((HttpServletRequest) request).getHeader(filter);
			if (fault == null || request.getDispatcherType() != DispatcherType.REQUEST) {
				return;
			}
			switch (Fault.valueOf(fault)) {
				case THROW_WHILE_IT_RUNS -> {
					Orders.awaitStart();
					throw new ServletException("A session cannot be saved");
				}
				case THROW -> throw new ServletException("A session cannot be saved");
				case SEND_ERROR -> ((HttpServletResponse) response).sendError(418);
				case SET_STATUS -> ((HttpServletResponse) response).setStatus(418);
			}
		}

	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Orders {

		static final AtomicInteger placed = new AtomicInteger();

		static final AtomicInteger refused = new AtomicInteger();

		static volatile CountDownLatch started = new CountDownLatch(1);

		static volatile CountDownLatch release = new CountDownLatch(1);

		static CountDownLatch hold() {
			placed.set(0);
			started = new CountDownLatch(1);
			release = new CountDownLatch(1);
			return release;
		}

		static void awaitStart() {
			try {
				assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@PostMapping("/now")
		Map<String, Integer> now() {
			return Map.of("order", placed.incrementAndGet());
		}

		@PostMapping("/later")
		Callable<Map<String, Integer>> later() {
			return () -> {
				started.countDown();
				// Spring MVC interrupts it.
				while (!isReleased()) {
					Thread.onSpinWait();
				}
				return now();
			};
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		@PostMapping("/replaying-errors")
		Map<String, Integer> replayingErrors() {
			return now();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/refused-later")
		Callable<Void> refusedLater() {
			return () -> {
				refused.incrementAndGet();
				throw new ResponseStatusException(HttpStatus.NOT_FOUND);
			};
		}

		@PostMapping("/deferred")
		DeferredResult<Map<String, Integer>> deferred() {
			DeferredResult<Map<String, Integer>> result = new DeferredResult<>();
			result.setResult(now());
			return result;
		}

		private static boolean isReleased() {
			try {
				return release.await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				return false;
			}
		}

	}

}
