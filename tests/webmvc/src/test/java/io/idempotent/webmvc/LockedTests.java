package io.idempotent.webmvc;

import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The response to a request whose lock is not obtained.
 */
class LockedTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Application.class, "idempotent.lock.engines=local,broken",
			"idempotent.lock.wait-time=0");

	@Test
	void aBusyLockIsA409ThatSaysWhenToTryAgain() throws Exception {
		holding("transfer:7", () -> {
			HttpResponse<byte[]> response = server.send(server.post("/transfer?account=7", ""));
			assertThat(response.statusCode()).isEqualTo(409);
			assertThat(TestServer.code(response)).isEqualTo("locked");
			assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
			assertThat(TestServer.header(response, "Retry-After")).isEqualTo("1");
			assertThat(TestServer.text(response)).contains("Somebody else is doing this right now");
		});
		assertThat(server.send(server.post("/transfer?account=7", "")).statusCode()).isEqualTo(200);
	}

	@Test
	void aBusyLockIsExplainedInChinese() throws Exception {
		holding("transfer:7", () -> {
			HttpResponse<byte[]> response = server
				.send(server.post("/transfer?account=7", "").header("Accept-Language", "zh-CN"));
			assertThat(TestServer.text(response)).contains("正忙", "请稍后再试");
			assertThat(TestServer.header(response, "Content-Language")).isEqualTo("zh");
		});
	}

	@Test
	void anUnavailableEngineIsA503() {
		HttpResponse<byte[]> response = server.send(server.post("/broken", ""));
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(response)).isEqualTo("lock-unavailable");
		assertThat(TestServer.header(response, "Retry-After")).isEqualTo("5");
		assertThat(TestServer.text(response)).doesNotContain("broken", "secret");
	}

	@Test
	void aSubmissionThatMeetsABusyLockMayBeSentAgainWithTheSameKey() throws Exception {
		AtomicInteger orders = server.bean(Shop.class).orders();
		orders.set(0);
		holding("order", () -> {
			HttpResponse<byte[]> response = order("busy-1");
			assertThat(response.statusCode()).isEqualTo(409);
			assertThat(TestServer.code(response)).isEqualTo("locked");
		});
		HttpResponse<byte[]> first = order("busy-1");
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(first)).isFalse();
		assertThat(TestServer.isReplayed(order("busy-1"))).isTrue();
		assertThat(orders).hasValue(1);
	}

	@Test
	void aSubmissionThatWasSkippedMayBeSentAgainWithTheSameKey() throws Exception {
		holding("order", () -> {
			HttpResponse<byte[]> skipped = server.send(server.post("/skipped", "").header("Idempotency-Key", "skip-1"));
			assertThat(skipped.statusCode()).isEqualTo(200);
			assertThat(TestServer.text(skipped)).isEmpty();
		});
		HttpResponse<byte[]> first = server.send(server.post("/skipped", "").header("Idempotency-Key", "skip-1"));
		assertThat(TestServer.text(first)).isEqualTo("done");
		assertThat(TestServer.isReplayed(first)).isFalse();
	}

	@Test
	void theResponseOfASkippedCallIsNotRecorded() throws Exception {
		holding("order", () -> {
			HttpResponse<byte[]> instead = server
				.send(server.post("/answered", "").header("Idempotency-Key", "answer-1"));
			assertThat(TestServer.text(instead)).isEqualTo("try later");
		});
		HttpResponse<byte[]> first = server.send(server.post("/answered", "").header("Idempotency-Key", "answer-1"));
		assertThat(TestServer.text(first)).isEqualTo("done");
		assertThat(TestServer.isReplayed(first)).isFalse();
	}

	@Test
	void aDuplicateIsAnsweredWithoutTheLock() throws Exception {
		order("duplicate-1");
		holding("order", () -> assertThat(TestServer.isReplayed(order("duplicate-1"))).isTrue());
	}

	private static HttpResponse<byte[]> order(String key) {
		return server.send(server.post("/orders", "").header("Idempotency-Key", key));
	}

	private static void holding(String name, Meanwhile meanwhile) throws Exception {
		DistributedLock lock = server.bean(DistributedLocks.class).get(name);
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			other.submit(lock::lock).get(1, TimeUnit.MINUTES);
			meanwhile.run();
		}
		finally {
			other.submit(lock::unlock).get(1, TimeUnit.MINUTES);
			other.shutdownNow();
		}
	}

	private interface Meanwhile {

		void run() throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Shop.class, TryLater.class, CatchAll.class })
	static class Application {

		@Bean
		LockEngine brokenEngine() {
			return new LockEngine() {

				@Override
				public String name() {
					return "broken";
				}

				@Override
				public @Nullable LockGrant acquire(LockRequest request, Duration wait) {
					throw new LockUnavailableException("The engine has a secret", null);
				}

			};
		}

	}

	@RestController
	static class Shop {

		private final AtomicInteger orders = new AtomicInteger();

		AtomicInteger orders() {
			return this.orders;
		}

		@PostMapping("/transfer")
		@DistributedLocked(name = "transfer", key = "#account")
		String transfer(@RequestParam String account) {
			return "done";
		}

		@PostMapping("/broken")
		@DistributedLocked(engine = "broken")
		String broken() {
			return "done";
		}

		@PostMapping("/skipped")
		@ApiIdempotent(KeySource.HEADER)
		@DistributedLocked(name = "order", onNotObtained = WhenNotObtained.SKIP)
		String skipped() {
			return "done";
		}

		@PostMapping("/answered")
		@ApiIdempotent(KeySource.HEADER)
		@DistributedLocked(name = "order", handler = TryLater.class)
		String answered() {
			return "done";
		}

		@PostMapping("/orders")
		@ApiIdempotent(KeySource.HEADER)
		@DistributedLocked(name = "order")
		String order() {
			return "order " + this.orders.incrementAndGet();
		}

	}

	static class TryLater implements LockNotObtainedHandler {

		@Override
		public Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) {
			return "try later";
		}

	}

	/**
	 * The handler that many applications have, and that would hide everything.
	 */
	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler
		String anything(Exception failure) {
			return "something went wrong";
		}

	}

}
