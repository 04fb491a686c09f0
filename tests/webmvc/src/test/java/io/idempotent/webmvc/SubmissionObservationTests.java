package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.OutcomeRecoverer;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.observation.SubmissionObservationContext;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The observation of HTTP submissions.
 */
@Tag("slow")
class SubmissionObservationTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Lab.class, "idempotent.store.near-cache.enabled=false",
			"spring.mvc.async.request-timeout=300ms");

	@RegisterExtension
	static final TestServer adrift = TestServer.of(Lab.class, "spring.data.redis.port=1");

	private final String key = TestServer.newKey();

	/** How much was observed before. */
	private long before;

	@BeforeEach
	void skip() {
		this.before = contexts(server).count();
	}

	@ParameterizedTest
	@CsvSource({ "/run, run, run replayed", "/fail, fail, released released", "/reject, reject, released released",
			"/replayed-error, replayedError, error-recorded replayed", "/break-once, breakOnce, left-unknown rerun",
			"/break, breakDown, left-unknown outcome-unknown", "/forget, forget, run recovered",
			"/private, secret, run replay-denied", "/once, once, run duplicate",
			"/unstored, unstored, run response-unavailable" })
	void twoSubmissionsHaveTheirOutcomes(String path, String method, String outcomes) {
		submit(path);
		submit(path);
		assertThat(String.join(" ", outcomes(method))).isEqualTo(outcomes);
	}

	@Test
	void aClaimThatPassedToAnotherSubmissionIsLost() throws Exception {
		CountDownLatch release = Lab.hold();
		CompletableFuture<HttpResponse<byte[]>> first = submitLater("/held");
		Lab.started.await();
		server.bean(StringRedisTemplate.class).delete(server.bean(StringRedisTemplate.class).keys("*"));
		Lab.held = new CountDownLatch(0);
		submit("/held");
		release.countDown();
		first.get();
		assertThat(outcomes("held")).containsExactlyInAnyOrder("run", "claim-lost");
	}

	@Test
	void withoutTheStoreARunIsUnprotectedOrRefused() {
		assertThat(adrift.submit("/anyway", this.key).statusCode()).isEqualTo(200);
		assertThat(outcomes(adrift, "anyway", 0)).containsExactly("unprotected");
		adrift.submit("/run", this.key);
		assertThat(outcomes(adrift, "run", 0)).containsExactly("store-unavailable");
	}

	@Test
	void aRefusalWithoutAKey() {
		server.send(server.post("/run", "{}"));
		assertThat(outcomes("run")).containsExactly("key-missing");
		assertThat(submissions("run").get(0).getKey()).isNull();
	}

	@Test
	void aRefusalOfAToken() {
		server.send(server.post("/form", "{}").header("Idempotent-Token", "a".repeat(28)));
		assertThat(outcomes("form")).containsExactly("token-unknown");
		assertThat(submissions("form").get(0).getKey()).isNotNull();
	}

	@ParameterizedTest
	@CsvSource({ "/fail, fail, failed", "/failing-callable, failingCallable, late" })
	void aFailureIsTheErrorOfItsObservation(String path, String method, String message) {
		submit(path);
		assertThat(outcomes(method)).containsExactly("released");
		assertThat(submissions(method).get(0).getError()).isInstanceOf(IllegalStateException.class).hasMessage(message);
	}

	@Nested
	class KeyValues {

		@Test
		void theSpanContainsKeyAndAttempt() {
			submit("/keyed");
			outcomes("keyed");
			List<SubmissionObservationContext> all = submissions("keyed");
			SubmissionObservationContext context = all.get(all.size() - 1);
			assertThat(context.getName()).isEqualTo("idempotent.submission");
			assertThat(context.getContextualName()).isEqualTo("submit Lab.keyed");
			assertThat(context.getEntrance()).isEqualTo(Entrance.HTTP);
			assertThat(context.getLowCardinalityKeyValues().stream().map(Object::toString)).hasSize(3)
				.allMatch((tag) -> !tag.contains(SubmissionObservationTests.this.key));
			assertThat(context.getHighCardinalityKeyValue("idempotent.attempt").getValue()).isEqualTo("1");
			assertThat(context.getHighCardinalityKeyValue("idempotent.key").getValue()).hasSize(12)
				.isEqualTo(Lab.lastKey.substring(0, 12));
		}

	}

	@Nested
	class AsynchronousHandlers {

		@ParameterizedTest
		@ValueSource(strings = { "callable", "deferred" })
		void theObservationEndsWithTheResult(String path) {
			submit("/" + path);
			submit("/" + path);
			assertThat(outcomes(path)).containsExactly("run", "replayed");
			assertThat(submissions(path).get(0).<Boolean>get("result")).isTrue();
		}

		@Test
		void aTimeOutLeavesTheOutcomeUnknown() {
			submit("/never");
			assertThat(outcomes("never")).containsExactly("left-unknown");
		}

	}

	@Test
	void concurrentSubmissionsAreObservedSeparately() {
		List<CompletableFuture<HttpResponse<byte[]>>> all = Stream.generate(() -> submitLater("/crowded"))
			.limit(40)
			.toList();
		all.forEach(CompletableFuture::join);
		await().untilAsserted(() -> assertThat(outcomes("crowded")).hasSize(40));
		assertThat(outcomes("crowded")).containsOnlyOnce("run")
			.allMatch((outcome) -> List.of("run", "replayed").contains(outcome));
	}

	private CompletableFuture<HttpResponse<byte[]>> submitLater(String path) {
		return CompletableFuture.supplyAsync(() -> submit(path));
	}

	private HttpResponse<byte[]> submit(String path) {
		return server.submit(path, this.key);
	}

	private List<String> outcomes(String method) {
		return outcomes(server, method, this.before);
	}

	/**
	 * The outcomes of an operation, once all of its observations have ended.
	 */
	private static List<String> outcomes(TestServer of, String method, long before) {
		await().untilAsserted(() -> assertThat(submissions(of, method, before)).isNotEmpty()
			.noneMatch((context) -> context.getOutcome() == null));
		return submissions(of, method, before).stream()
			.map((context) -> context.getLowCardinalityKeyValue("outcome").getValue())
			.toList();
	}

	private List<SubmissionObservationContext> submissions(String method) {
		return submissions(server, method, this.before);
	}

	private static List<SubmissionObservationContext> submissions(TestServer of, String method, long before) {
		return contexts(of).skip(before)
			.filter(SubmissionObservationContext.class::isInstance)
			.map(SubmissionObservationContext.class::cast)
			.filter((context) -> context.getOperation().equals("Lab." + method))
			.toList();
	}

	private static Stream<Observation.Context> contexts(TestServer of) {
		CompletableFuture<List<Observation.Context>> all = new CompletableFuture<>();
		TestObservationRegistryAssert.assertThat(of.bean(TestObservationRegistry.class))
			.hasHandledContextsThatSatisfy(all::complete);
		return List.copyOf(all.join()).stream();
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Lab {

		static volatile CountDownLatch held = new CountDownLatch(0);

		static volatile CountDownLatch started = new CountDownLatch(1);

		static volatile String lastKey = "";

		private final TestObservationRegistry registry;

		private final AtomicInteger broken = new AtomicInteger();

		Lab(TestObservationRegistry registry) {
			this.registry = registry;
		}

		@Bean
		static TestObservationRegistry observationRegistry() {
			return TestObservationRegistry.create();
		}

		@Bean
		static OutcomeRecoverer memory() {
			return (operation) -> Optional.of(Map.of("recovered", true));
		}

		@Bean
		static ReplayAuthorizer authorizer() {
			return (context, request) -> {
				if (context.operation().equals("Lab.secret")) {
					throw new ResponseStatusException(HttpStatus.FORBIDDEN);
				}
			};
		}

		static CountDownLatch hold() {
			started = new CountDownLatch(1);
			CountDownLatch release = new CountDownLatch(1);
			held = release;
			return release;
		}

		@PostMapping("/run")
		Map<String, Object> run() {
			return Map.of();
		}

		@PostMapping("/fail")
		Map<String, Object> fail() {
			throw new IllegalStateException("failed");
		}

		@PostMapping("/reject")
		Map<String, Object> reject() {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		@PostMapping("/replayed-error")
		Map<String, Object> replayedError() {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.RERUN)
		@PostMapping("/break-once")
		Map<String, Object> breakOnce() {
			if (this.broken.getAndIncrement() == 0) {
				throw new IllegalStateException("broken");
			}
			return Map.of();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/break")
		Map<String, Object> breakDown() {
			throw new IllegalStateException("broken");
		}

		@PostMapping("/held")
		Map<String, Object> held() throws InterruptedException {
			CountDownLatch release = held;
			started.countDown();
			release.await();
			return Map.of();
		}

		@ApiIdempotent(value = KeySource.HEADER, recoverer = "memory")
		@PostMapping("/forget")
		Map<String, Object> forget(IdempotencyContext context) {
			context.doNotStoreAnswer();
			return Map.of();
		}

		@PostMapping("/private")
		Map<String, Object> secret() {
			return Map.of();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenStoreFails = WhenStoreFails.PROCEED)
		@PostMapping("/anyway")
		Map<String, Object> anyway() {
			return Map.of();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/once")
		Map<String, Object> once() {
			return Map.of();
		}

		@PostMapping("/unstored")
		Map<String, Object> unstored(IdempotencyContext context) {
			context.doNotStoreAnswer();
			return Map.of();
		}

		@ApiIdempotent
		@PostMapping("/form")
		Map<String, Object> form() {
			return Map.of();
		}

		@PostMapping("/keyed")
		Map<String, Object> keyed(IdempotencyContext context) {
			lastKey = context.key();
			return Map.of();
		}

		@PostMapping("/observed")
		Map<String, Object> observed() {
			return Map.of();
		}

		@GetMapping("/plain")
		Map<String, Object> plain() {
			return Map.of();
		}

		@PostMapping("/callable")
		Callable<Map<String, Object>> callable() {
			return () -> {
				this.registry.getCurrentObservation().getContext().put("result", true);
				return Map.of();
			};
		}

		@PostMapping("/deferred")
		DeferredResult<Map<String, Object>> deferred() {
			Observation observation = this.registry.getCurrentObservation();
			DeferredResult<Map<String, Object>> result = new DeferredResult<>();
			CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
				observation.getContext().put("result", true);
				result.setResult(Map.of());
			});
			return result;
		}

		@PostMapping("/failing-callable")
		Callable<Map<String, Object>> failingCallable() {
			return () -> {
				throw new IllegalStateException("late");
			};
		}

		@PostMapping("/never")
		DeferredResult<Map<String, Object>> never() {
			return new DeferredResult<>();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenInProgress = WhenInProgress.WAIT)
		@PostMapping("/crowded")
		Map<String, Object> crowded() {
			return Map.of();
		}

	}

}
