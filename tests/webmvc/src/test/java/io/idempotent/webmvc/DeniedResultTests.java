package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.testing.RedisTalk;
import io.idempotent.testing.TestDatabase;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.concurrent.FutureUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asynchronous operations whose result was there when a filter or an interceptor answered
 * its dispatch, as if the caller's session had ended meanwhile.
 */
class DeniedResultTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Shop.class, "idempotent.guard.enabled=true",
			"idempotent.initialize-schema=always", "idempotent.store.near-cache.enabled=false");

	@BeforeAll
	static void createTable() {
		sql().execute("create table if not exists delivery (content varchar(255) not null)");
	}

	static Stream<Arguments> deniedEffects() {
		return Stream.of(Door.values())
			.flatMap((door) -> Stream
				.of("/callable", "/future", "/unguarded-callable", "/unguarded-deferred", "/elsewhere")
				.map((path) -> Arguments.of(door, path)));
	}

	@ParameterizedTest
	@MethodSource("deniedEffects")
	void anOperationWhoseResultIsDeniedDoesNotRunAgain(Door door, String path) {
		String key = TestServer.newKey();
		deny(door, path, key);
		TestServer.assertRefused(server.submit(path, key), 409, "response-unavailable");
		assertThat(effects(key)).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void aDenialDoesNotWithdrawTheReceipt(Door door) {
		for (String path : new String[] { "/callable", "/failing" }) {
			String key = TestServer.newKey();
			deny(door, path, key);
			RedisTalk.tell(server.redis(), "FLUSHALL");
			TestServer.assertRefused(server.submit(path, key), 409, "response-unavailable");
			assertThat(effects(key)).as(path).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aFailureWhoseAnswerIsDeniedFreesTheKey(Door door) {
		String key = TestServer.newKey();
		int before = Shop.refused.get();
		deny(door, "/refusing", key);
		assertThat(server.submit("/refusing", key).statusCode()).isEqualTo(422);
		assertThat(Shop.refused).hasValue(before + 2);
	}

	@ParameterizedTest
	@EnumSource
	void aDenialAfterATimeOutDoesNotTellWhetherTheOperationHasEnded(Door door) {
		String key = TestServer.newKey();
		deny(door, "/late", key);
		assertThat(TestServer.code(server.submit("/late", key))).isEqualTo("in-progress");
	}

	@Test
	void anOperationMayStillRunAfterAFilterHasCompletedItsRequest() {
		String key = TestServer.newKey();
		server.send(server.post("/endless", "{}").header("Idempotency-Key", key).header("X-Complete", "yes"));
		assertThat(TestServer.code(server.submit("/endless", key))).isEqualTo("in-progress");
	}

	@Test
	void anOpenDoorChangesNothing() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.submit("/callable", key);
		assertThat(TestServer.text(first)).isEqualTo("done");
		TestServer.assertReplays(first, server.submit("/callable", key));
	}

	private static void deny(Door door, String path, String key) {
		HttpResponse<byte[]> denied = server
			.send(server.post(path, "{}").header("Idempotency-Key", key).header(Door.HEADER, door.name()));
		if (door.status != 0) {
			assertThat(denied.statusCode()).isEqualTo(door.status);
		}
		assertThat(TestServer.text(denied)).doesNotContain("done");
	}

	private static JdbcTemplate sql() {
		return new JdbcTemplate(Shop.database);
	}

	private static int effects(String key) {
		return sql().queryForObject("select count(*) from delivery where content = ?", Integer.class, key);
	}

	/** What denies the dispatch of a result. */
	enum Door {

		FILTER_IN_FRONT(401), FILTER_BEHIND(401), INTERCEPTOR(401), INTERCEPTOR_THAT_REDIRECTS(302),
		INTERCEPTOR_THAT_ANSWERS(200), INTERCEPTOR_THAT_THROWS(403),

		/** Spring MVC takes the result of the operation for that of the error page. */
		INTERCEPTOR_THAT_FAILS(0);

		static final String HEADER = "X-Door";

		final int status;

		Door(int status) {
			this.status = status;
		}

		boolean denies(HttpServletRequest request) {
			return request.getDispatcherType() == DispatcherType.ASYNC && name().equals(request.getHeader(HEADER));
		}

		FilterRegistrationBean<Filter> filter(int order) {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
				if (denies((HttpServletRequest) request)) {
					((HttpServletResponse) response).sendError(this.status);
				}
				else {
					chain.doFilter(request, response);
				}
			});
			filter.setDispatcherTypes(DispatcherType.ASYNC);
			filter.setOrder(order);
			return filter;
		}

	}

	static class Doors implements HandlerInterceptor, WebMvcConfigurer {

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(this);
		}

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
				throws Exception {
			if (Door.INTERCEPTOR.denies(request)) {
				response.sendError(Door.INTERCEPTOR.status);
				return false;
			}
			if (Door.INTERCEPTOR_THAT_REDIRECTS.denies(request)) {
				response.sendRedirect("/login");
				return false;
			}
			if (Door.INTERCEPTOR_THAT_ANSWERS.denies(request)) {
				response.getWriter().write("log in");
				return false;
			}
			if (Door.INTERCEPTOR_THAT_THROWS.denies(request)) {
				throw new ResponseStatusException(HttpStatus.FORBIDDEN);
			}
			if (Door.INTERCEPTOR_THAT_FAILS.denies(request)) {
				throw new IllegalStateException("planned");
			}
			return true;
		}

	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Shop {

		static final DataSource database = TestDatabase.h2().dataSource();

		static final AtomicInteger refused = new AtomicInteger();

		private final TransactionTemplate transaction;

		Shop(TransactionTemplate transaction) {
			this.transaction = transaction;
		}

		@Bean
		static DataSource dataSource() {
			return database;
		}

		@Bean
		static Doors doors() {
			return new Doors();
		}

		@Bean
		static FilterRegistrationBean<Filter> inFront() {
			return Door.FILTER_IN_FRONT.filter(-100);
		}

		@Bean
		static FilterRegistrationBean<Filter> behind() {
			return Door.FILTER_BEHIND.filter(0);
		}

		@Bean
		static FilterRegistrationBean<Filter> completing() {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
				chain.doFilter(request, response);
				if (((HttpServletRequest) request).getHeader("X-Complete") != null) {
					request.getAsyncContext().complete();
				}
			});
			filter.setOrder(-100);
			return filter;
		}

		@Bean
		static Elsewhere elsewhereAspect() {
			return new Elsewhere();
		}

		@PostMapping("/callable")
		Callable<String> callable(@RequestHeader("Idempotency-Key") String key) {
			return () -> deliver(key);
		}

		@PostMapping("/future")
		CompletableFuture<String> future(@RequestHeader("Idempotency-Key") String key, IdempotencyContext context) {
			return FutureUtils.callAsync(context.wrap(() -> deliver(key)));
		}

		@PostMapping("/unguarded-callable")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		Callable<String> unguarded(@RequestHeader("Idempotency-Key") String key) {
			return () -> deliver(key);
		}

		@PostMapping("/unguarded-deferred")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		DeferredResult<String> deferred(@RequestHeader("Idempotency-Key") String key) {
			DeferredResult<String> result = new DeferredResult<>();
			result.setResult(deliver(key));
			return result;
		}

		@PostMapping("/elsewhere")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		CompletableFuture<String> elsewhere(@RequestHeader("Idempotency-Key") String key) {
			return CompletableFuture.completedFuture(deliver(key));
		}

		@PostMapping("/failing")
		Callable<String> failing(@RequestHeader("Idempotency-Key") String key) {
			return () -> {
				throw new IllegalStateException(deliver(key));
			};
		}

		@PostMapping("/refusing")
		Callable<String> refusing() {
			return () -> {
				refused.incrementAndGet();
				throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT);
			};
		}

		@PostMapping("/endless")
		DeferredResult<String> endless() {
			return new DeferredResult<>();
		}

		@PostMapping("/late")
		DeferredResult<String> late() {
			return new DeferredResult<>(100L, "done");
		}

		private String deliver(String key) {
			this.transaction
				.executeWithoutResult((status) -> sql().update("insert into delivery (content) values (?)", key));
			return "done";
		}

	}

	/** Calls the method on a thread that does not know the request. */
	@Aspect
	@Order(-1000)
	static class Elsewhere {

		@Around("execution(* io.idempotent.webmvc.DeniedResultTests.Shop.elsewhere(..))")
		@SuppressWarnings("unchecked")
		Object callElsewhere(ProceedingJoinPoint call) {
			return FutureUtils.callAsync(() -> {
				try {
					return (CompletableFuture<Object>) call.proceed();
				}
				catch (Throwable ex) {
					throw new IllegalStateException(ex);
				}
			}).thenCompose((result) -> result);
		}

	}

}
