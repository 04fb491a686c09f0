package io.idempotent.webmvc;

import java.io.IOException;
import java.io.Writer;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.webmvc.internal.HttpIdempotency;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * The response to a request whose lock is not obtained or lost, or whose call is refused.
 */
class LockedTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Application.class, "idempotent.lock.engines=local,broken,redisson",
			"idempotent.store.type=local", "idempotent.lock.wait-time=0");

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
			TestServer.assertRefused(order("busy-1"), 409, "locked");
		});
		HttpResponse<byte[]> first = order("busy-1");
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(first)).isFalse();
		assertThat(TestServer.isReplayed(order("busy-1"))).isTrue();
		assertThat(orders).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource({ "/skipped, ''", "/answered, try later" })
	void theResponseOfASkippedCallIsNotRecorded(String path, String answer) throws Exception {
		String key = TestServer.newKey();
		holding("order", () -> {
			HttpResponse<byte[]> skipped = server.submit(path, key);
			assertThat(skipped.statusCode()).isEqualTo(200);
			assertThat(TestServer.text(skipped)).isEqualTo(answer);
		});
		HttpResponse<byte[]> first = server.submit(path, key);
		assertThat(TestServer.text(first)).isEqualTo("done");
		assertThat(TestServer.isReplayed(first)).isFalse();
	}

	@Test
	void aDuplicateIsAnsweredWithoutTheLock() throws Exception {
		order("duplicate-1");
		holding("order", () -> assertThat(TestServer.isReplayed(order("duplicate-1"))).isTrue());
	}

	@Test
	void aLostLockIsAProblemWithAPossibleEffect() {
		HttpResponse<byte[]> response = server.submit("/flushed", "");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
		assertThat(TestServer.code(response)).isEqualTo("lock-lost");
		assertThat(TestServer.text(response)).contains("It may have taken effect");
	}

	@Test
	void aLockLostBeforeTheCommitIsAProblemAfterRollback() {
		HttpResponse<byte[]> response = server.submit("/rolled-back", "");
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(response)).isEqualTo("lock-lost-rolled-back");
		assertThat(TestServer.header(response, "Retry-After")).isEqualTo("1");
	}

	@Test
	void theApplicationsOwnHandlerComesFirst() {
		HttpResponse<byte[]> response = server.submit("/handled", "");
		assertThat(response.statusCode()).isEqualTo(502);
		assertThat(TestServer.text(response)).isEqualTo("ours");
	}

	@Test
	void anOperationThatLostItsLockIsNotRunAgain() {
		String key = TestServer.newKey();
		assertThat(TestServer.code(server.submit("/once", key))).isEqualTo("lock-lost");
		assertThat(TestServer.code(server.submit("/once", key))).isEqualTo("outcome-unknown");
	}

	@Test
	void aLossThatTheApplicationWrapsLeavesTheOutcomeUnknown() {
		String key = TestServer.newKey();
		assertThat(server.submit("/once-wrapped", key).statusCode()).isEqualTo(500);
		assertThat(TestServer.code(server.submit("/once-wrapped", key))).isEqualTo("outcome-unknown");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/careful-locked", "/careful-called" })
	void aRefusalInsideTheMethodIsAFailure(String path) {
		String key = TestServer.newKey();
		assertThat(server.submit(path, key).statusCode()).isEqualTo(409);
		assertThat(TestServer.code(server.submit(path, key))).isEqualTo("outcome-unknown");
	}

	@Test
	void aLockThatIsNotObtainedBeforeTheMethodReleasesTheKey() throws Exception {
		String key = TestServer.newKey();
		holding("careful", () -> TestServer.assertRefused(server.submit("/careful", key), 409, "locked"));
		assertThat(server.submit("/careful", key).statusCode()).isEqualTo(200);
	}

	@Test
	void anOperationThatWasRolledBackMayBeSentAgain() {
		String key = TestServer.newKey();
		assertThat(TestServer.code(server.submit("/once-rolled-back", key))).isEqualTo("lock-lost-rolled-back");
		assertThat(TestServer.code(server.submit("/once-rolled-back", key))).isEqualTo("lock-lost-rolled-back");
	}

	@ParameterizedTest
	@CsvSource({ "false, lock-lost, outcome-unknown", "true, lock-lost-rolled-back, lock-lost-rolled-back" })
	void aLossIsNoErrorToBeReplayed(boolean rolledBack, String code, String repeated) {
		String key = TestServer.newKey();
		assertThat(TestServer.code(server.submit("/errors?rolledBack=" + rolledBack, key))).isEqualTo(code);
		HttpResponse<byte[]> repeat = server.submit("/errors?rolledBack=" + rolledBack, key);
		assertThat(TestServer.code(repeat)).isEqualTo(repeated);
		assertThat(TestServer.isReplayed(repeat)).isFalse();
	}

	@BeforeEach
	void forget() {
		server.bean(Events.class).refused.clear();
	}

	@Test
	void aRefusedCallIsAProblemAndLoggedOnce() {
		assertThat(server.send(server.post("/plain", "")).statusCode()).isEqualTo(200);
		TestServer.assertRefused(server.send(server.post("/plain", "")), 409, "duplicate");
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.DUPLICATE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/writes-called", "/writes-locked" })
	void aRefusalIsAProblemAlthoughTheMethodHasTheWriter(String path) {
		HttpResponse<byte[]> response = server.send(server.post(path, ""));
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(response)).isIn("duplicate", "locked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/streams-called", "/streams-locked" })
	void aRefusalBreaksAResponseOffThatTheClientHasInPart(String path) {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> server.send(server.post(path, "")))
			.withCauseInstanceOf(IOException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/keyless", "/twofold" })
	void aCallOrRequestWithoutAKeyIsLoggedOnce(String path) {
		TestServer.assertRefused(server.send(server.post(path, "")), 400, "key-missing");
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.KEY_MISSING);
	}

	@Test
	void anOperationWhoseCallIsRefusedTookNoEffect() {
		server.bean(Service.class).once("inside");
		String key = TestServer.newKey();
		TestServer.assertRefused(server.submit("/twofold", key), 409, "duplicate");
		TestServer.assertRefused(server.submit("/twofold", key), 409, "duplicate");
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.DUPLICATE, Refusal.DUPLICATE);
	}

	@Test
	void aRefusalIsNeverRecordedWhoeverWritesIt() {
		String key = TestServer.newKey();
		TestServer.assertRefused(server.submit("/written", key), 409, "locked");
		HttpResponse<byte[]> repeat = server.submit("/written", key);
		TestServer.assertRefused(repeat, 409, "locked");
		assertThat(TestServer.isReplayed(repeat)).isFalse();
	}

	@Test
	void aNewSessionSurvivesARefusalInTheCall() {
		assertThat(refusedInCall().headers().allValues("Set-Cookie")).anyMatch((cookie) -> cookie.contains("SESSION"));
	}

	@Test
	void aRefusalInTheCallHasTheHeadersFromBeforeTheCall() {
		assertThat(refusedInCall().headers().allValues("Vary")).contains("Origin").doesNotContain("Accept-Language");
	}

	private static HttpResponse<byte[]> refusedInCall() {
		HttpResponse<byte[]> refused = server.send(server.post("/nested", "")
			.header("Idempotency-Key", TestServer.newKey())
			.header("Origin", "https://shop.example"));
		assertThat(TestServer.code(refused)).isEqualTo("locked");
		return refused;
	}

	private static HttpResponse<byte[]> order(String key) {
		return server.submit("/orders", key);
	}

	private static void holding(String name, Runnable meanwhile) throws Exception {
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

	@Configuration(proxyBeanMethods = false)
	@Import({ Shop.class, Sales.class, Callers.class, TryLater.class, CatchAll.class })
	static class Application {

		@Bean
		LockEngine brokenEngine() throws InterruptedException {
			LockEngine engine = mock(LockEngine.class, Mockito.CALLS_REAL_METHODS);
			willReturn("broken").given(engine).name();
			willThrow(new LockUnavailableException("The engine has a secret", null)).given(engine)
				.acquire(any(), any());
			return engine;
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
	@RestControllerAdvice(assignableTypes = Shop.class)
	static class CatchAll {

		@ExceptionHandler
		String anything(Exception failure) {
			return "something went wrong";
		}

	}

	@RestController
	static class Sales {

		private final RedisConnectionFactory redis;

		Sales(RedisConnectionFactory redis) {
			this.redis = redis;
		}

		@PostMapping("/flushed")
		@DistributedLocked(name = "sale", engine = "redisson")
		String flushed() {
			this.redis.getConnection().serverCommands().flushDb();
			return "sold";
		}

		@PostMapping("/rolled-back")
		String rolledBack() {
			throw new LockLostException("sale", "lost", true);
		}

		@PostMapping("/handled")
		String handled() {
			throw new Handled();
		}

		@PostMapping("/once")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		@DistributedLocked(name = "sale", engine = "redisson")
		String once() {
			return flushed();
		}

		@PostMapping("/once-wrapped")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		String onceWrapped() {
			throw new IllegalStateException("wrapped", new LockLostException("sale", "lost"));
		}

		@PostMapping("/once-rolled-back")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		String onceRolledBack() {
			return rolledBack();
		}

		@PostMapping("/errors")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT, replayErrors = "5xx")
		String errors(@RequestParam boolean rolledBack) {
			throw new LockLostException("sale", "lost", rolledBack);
		}

		@ExceptionHandler
		ResponseEntity<String> handled(Handled lost) {
			return ResponseEntity.status(502).body("ours");
		}

	}

	private static final class Handled extends LockLostException {

		private static final long serialVersionUID = 1L;

		Handled() {
			super("sale", "lost");
		}

	}

	@RestController
	@Import({ Service.class, Events.class })
	static class Callers {

		private final Service service;

		private final ObjectProvider<HttpIdempotency> http;

		Callers(Service service, ObjectProvider<HttpIdempotency> http) {
			this.service = service;
			this.http = http;
		}

		@PostMapping("/plain")
		String plain() {
			this.service.once("plain");
			return "done";
		}

		@PostMapping("/keyless")
		String keyless() {
			this.service.once("");
			return "done";
		}

		@PostMapping("/writes-called")
		void writesCalled(Writer writer) {
			this.service.once("writes");
			this.service.once("writes");
		}

		@PostMapping("/writes-locked")
		void writesLocked(Writer writer) {
			throw new LockNotObtainedException(List.of("nested"), Duration.ZERO, null);
		}

		@PostMapping("/streams-called")
		void streamsCalled(HttpServletResponse response) throws IOException {
			response.getOutputStream().print("part");
			response.flushBuffer();
			this.service.once("streams");
			this.service.once("streams");
		}

		@PostMapping("/streams-locked")
		void streamsLocked(HttpServletResponse response) throws IOException {
			response.getOutputStream().print("part");
			response.flushBuffer();
			throw new LockNotObtainedException(List.of("nested"), Duration.ZERO, null);
		}

		@ApiIdempotent(KeySource.HEADER)
		@CrossOrigin
		@PostMapping("/nested")
		String nested(HttpServletRequest request, HttpServletResponse response) {
			request.getSession();
			response.addHeader("Set-Cookie", "language=de");
			response.addHeader("Vary", "Accept-Language");
			throw new LockNotObtainedException(List.of("nested"), Duration.ZERO, null);
		}

		@Careful
		@PostMapping("/careful")
		@DistributedLocked(name = "careful")
		String careful() {
			return "done";
		}

		@Careful
		@PostMapping("/careful-locked")
		String carefulLocked() {
			throw new LockNotObtainedException(List.of("nested"), Duration.ZERO, null);
		}

		@Careful
		@PostMapping("/careful-called")
		String carefulCalled() {
			this.service.once("careful");
			this.service.once("careful");
			return "done";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/twofold")
		String twofold() {
			this.service.once("inside");
			return "done";
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "409")
		@PostMapping("/written")
		String written() {
			throw new IllegalStateException("busy");
		}

		@ExceptionHandler
		void writeRefusal(IllegalStateException busy, HttpServletRequest request, HttpServletResponse response) {
			this.http.getObject().refusals().write(Refusal.LOCKED, request, response);
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
	@interface Careful {

	}

	static class Service {

		private final AtomicInteger runs = new AtomicInteger();

		@Idempotent(key = "#key", whenCompleted = WhenCompleted.REJECT)
		public int once(String key) {
			return this.runs.incrementAndGet();
		}

	}

	static class Events implements IdempotencyListener {

		final List<Refusal> refused = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(IdempotencyEvent event) {
			if (event.refusal() != null) {
				this.refused.add(event.refusal());
			}
		}

	}

}
