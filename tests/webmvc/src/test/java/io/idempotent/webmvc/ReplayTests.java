package io.idempotent.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.webmvc.internal.operation.ErrorStatuses;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.bind.support.SessionStatus;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Where settings, the handler and the end of an operation decide what a repeat gets. That
 * a replay is the first response is the contract of tests/http.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReplayTests {

	private static final AtomicInteger RUNS = new AtomicInteger();

	// Every repeat is answered by the store itself.
	@RegisterExtension
	static final TestServer server = TestServer.of(Answers.class, "idempotent.store.near-cache.enabled=false",
			"idempotent.operations[Answers.byProperty].replay-errors=402,5xx");

	private final String key = TestServer.newKey();

	@BeforeEach
	void reset() {
		RUNS.set(0);
		Work.failed.set(false);
		Answers.started = new CountDownLatch(1);
		Answers.finish = new CountDownLatch(1);
	}

	@Test
	void aReplayCarriesNoHeaderThatIsForTheNextHop() {
		assertThat(submit("/next-hop").headers().firstValue("X-Hop")).isPresent();
		HttpResponse<byte[]> repeat = submit("/next-hop");
		assertThat(TestServer.isReplayed(repeat)).isTrue();
		assertThat(repeat.headers().firstValue("X-Hop")).isEmpty();
	}

	@Test
	void theDownstreamKeyIsTheSameAfterARerun() {
		String first = TestServer.text(submit("/derived"));
		assertThat(TestServer.text(submit("/derived"))).hasSize(43).isEqualTo(first);
		assertThat(RUNS).hasValue(2);
	}

	@ParameterizedTest
	@CsvSource({ "/declined, 402", "/mapped, 409", "/thrown-status, 410", "/thrown, 500", "/later, 500",
			"/by-property, 503" })
	void anErrorOfAChosenStatusIsReplayed(String path, int status) {
		HttpResponse<byte[]> first = submit(path, "{\"amount\":1}");
		HttpResponse<byte[]> second = submit(path, "{\"amount\":1}");
		assertThat(first.statusCode()).isEqualTo(status);
		assertThat(first.headers().allValues("Idempotency-TTL")).containsExactly("86400");
		assertThat(second.headers().allValues("Idempotency-TTL")).as("would cost a call").isEmpty();
		assertThat(second.statusCode()).isEqualTo(status);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(withoutTime(second)).isEqualTo(withoutTime(first));
		assertThat(RUNS).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/other", "/undeclared", "/fails-after-include", "/fails-after-forward" })
	void anErrorOfAnotherStatusReleasesTheKey(String path) {
		submit(path);
		assertThat(TestServer.isReplayed(submit(path))).isFalse();
		assertThat(RUNS).hasValue(2);
	}

	@Test
	void aValidationThatFailsBeforeTheOperationIsNotRecorded() {
		assertThat(submit("/declined", "{\"amount\":-1}").statusCode()).isEqualTo(400);
		assertThat(submit("/declined", "{\"amount\":1}").statusCode()).isEqualTo(402);
	}

	@Test
	void onlyErrorStatusesAreAccepted() {
		for (String wrong : new String[] { "200", "3xx", "6xx", "", "4x", "400 " }) {
			assertThatIllegalArgumentException().isThrownBy(() -> new ErrorStatuses(List.of(wrong)))
				.withMessageContaining("\"" + wrong + "\"");
		}
	}

	@Test
	void aFailureThatMayHaveHadAnEffectLeavesTheOutcomeUnknownAtOnce() {
		assertThat(submit("/keeps-failures").statusCode()).isEqualTo(500);
		TestServer.assertRefused(submit("/keeps-failures"), 409, "outcome-unknown");
	}

	@Test
	void aFailedValidationReleasesTheKeyUnderEveryPolicy() {
		assertThat(submit("/validates", "{\"amount\":-1}").statusCode()).isEqualTo(400);
		assertThat(submit("/validates", "{\"amount\":\"x\"}").statusCode()).isEqualTo(400);
		HttpResponse<byte[]> corrected = submit("/validates", "{\"amount\":1}");
		TestServer.assertReplays(corrected, submit("/validates", "{\"amount\":1}"));
		assertThat(RUNS).hasValue(1);
	}

	@Test
	void aClassifierMapsTheApplicationsOwnErrorCodes() {
		assertThat(submit("/coded", "ERROR").statusCode()).isEqualTo(200);
		assertThat(TestServer.code(submit("/coded", "ERROR"))).isEmpty();
		assertThat(RUNS).hasValue(2);
		String doubted = TestServer.newKey();
		assertThat(TestServer.code(server.submit("/coded", doubted, "DOUBT"))).isEmpty();
		assertThat(TestServer.code(server.submit("/coded", doubted, "DOUBT"))).isEqualTo("outcome-unknown");
	}

	@Test
	void anAnswerClassifiedAsAnEffectIsReplayed() {
		HttpResponse<byte[]> first = submit("/rejected-for-good");
		assertThat(first.statusCode()).isEqualTo(409);
		TestServer.assertReplays(first, submit("/rejected-for-good"));
		assertThat(RUNS).hasValue(1);
	}

	@Test
	void codeAroundTheHandlerCanDetectAReplayAndIsCompleted() {
		submit("/coded", "OK");
		assertThat(seen(1).isReplay()).isFalse();
		submit("/coded", "OK");
		IdempotencyContext seen = seen(2);
		assertThat(seen.isReplay()).isTrue();
		assertThat(seen.attempt()).isOne();
		assertThat(seen.operation()).isEqualTo("Work.coded");
		assertThat(seen.key()).hasSize(43).doesNotContain(this.key);
		submit("/coded", "refused");
		await().until(() -> Work.completed.get(this.key) == 3);
	}

	@Test
	void aRetryAroundTheHandlerIsOneOperation() {
		assertThat(submit("/retries").statusCode()).isEqualTo(200);
		assertThat(RUNS).hasValue(2);
		assertThat(TestServer.isReplayed(submit("/retries"))).isTrue();
		assertThat(RUNS).hasValue(2);
	}

	@Test
	void aRetryAroundTheHandlerDoesNotRunWhatIsReplayedOrRefused() {
		HttpResponse<byte[]> first = submit("/retries-content", this.key);
		TestServer.assertReplays(first, submit("/retries-content", this.key));
		HttpResponse<byte[]> other = submit("/retries-content?other=content", this.key);
		assertThat(TestServer.code(other)).isEqualTo("key-reused");
		assertThat(RUNS).hasValue(1);
	}

	@Test
	void anAnswerWrittenToAStreamThatWasAnArgumentIsReplayed() {
		HttpResponse<byte[]> first = submit("/streams-content", this.key);
		assertThat(TestServer.text(first)).isEqualTo("run 1");
		TestServer.assertReplays(first, submit("/streams-content", this.key));
		assertThat(RUNS).hasValue(1);
	}

	@Test
	void aControllerOfRequestScopeTakesEffectOnce() {
		HttpResponse<byte[]> first = submit("/scoped");
		assertThat(first.statusCode()).isEqualTo(200);
		TestServer.assertReplays(first, submit("/scoped"));
		assertThat(RUNS).hasValue(1);
	}

	@Test
	void aFormWhoseSessionAttributesAreGoneIsReplayed() {
		String cookie = TestServer.header(server.send(server.request("/wizard")), "Set-Cookie").split(";", 2)[0];
		HttpResponse<byte[]> first = server
			.send(server.post("/wizard", "").header("Idempotency-Key", this.key).header("Cookie", cookie));
		assertThat(TestServer.text(first)).isEqualTo("ordered draft");
		TestServer.assertReplays(first,
				server.send(server.post("/wizard", "").header("Idempotency-Key", this.key).header("Cookie", cookie)));
	}

	@Test
	void aSecondClickGetsTheAnswerOfTheFirst() throws Exception {
		HttpRequest.Builder click = server.post("/slow", "{}").header("Idempotent-Token", server.token());
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> server.send(click));
		assertThat(Answers.started.await(1, TimeUnit.MINUTES)).isTrue();
		CompletableFuture<HttpResponse<byte[]>> second = CompletableFuture.supplyAsync(() -> server.send(click));
		await().until(() -> second.isDone() || server.bean(IdempotencyGate.class).status().waiting() == 1);
		Answers.finish.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		TestServer.assertReplays(first.get(), second.get());
	}

	/** Nobody knows whether the handler method looked at the errors. */
	@Test
	void aFormShownAgainWithStatus200IsCompletedAndLoggedOnce(CapturedOutput log) {
		assertThat(form(this.key, "amount=7").statusCode()).isEqualTo(200);
		assertThat(log).doesNotContain("has shown a form again");
		String failed = TestServer.newKey();
		assertThat(TestServer.isReplayed(form(failed, "amount=many"))).isFalse();
		assertThat(TestServer.isReplayed(form(failed, "amount=many"))).isTrue();
		assertThat(TestServer.code(form(failed, "amount=7"))).isEqualTo("key-reused");
		form(TestServer.newKey(), "amount=many");
		assertThat(log).containsOnlyOnce("has shown a form again with errors and status 200");
	}

	/**
	 * What code around the handler saw: later than the client its answer, at times.
	 */
	private IdempotencyContext seen(int submission) {
		return await().until(() -> Work.seen.get(this.key), (seen) -> seen != null && seen.size() >= submission)
			.get(submission - 1);
	}

	private static String withoutTime(HttpResponse<byte[]> response) {
		return TestServer.text(response).replaceAll("\"timestamp\":\"[^\"]*\"", "");
	}

	private HttpResponse<byte[]> submit(String path) {
		return server.submit(path, this.key);
	}

	private HttpResponse<byte[]> submit(String path, String body) {
		return server.submit(path, this.key, body);
	}

	private static HttpResponse<byte[]> form(String key, String entries) {
		return server.send(server.request("/forms")
			.header("Idempotency-Key", key)
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(entries)));
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	@Import({ Work.class, PerRequest.class, Wizard.class })
	static class Answers {

		static volatile CountDownLatch started = new CountDownLatch(1);

		static volatile CountDownLatch finish = new CountDownLatch(1);

		@PostMapping("/next-hop")
		ResponseEntity<String> nextHop() {
			return ResponseEntity.ok().header("Connection", "X-Hop").header("X-Hop", "hop").body("done");
		}

		@PostMapping("/derived")
		ResponseEntity<String> derived(IdempotencyContext context) {
			RUNS.incrementAndGet();
			assertThat(context.isReplay()).isFalse();
			assertThat(context.operation()).isEqualTo("Answers.derived");
			assertThat(context.key()).isNotEqualTo(context.derivedKey("charge"));
			// 4xx gives the key back, so that the operation runs again.
			return ResponseEntity.badRequest().body(context.derivedKey("charge"));
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		@PostMapping("/declined")
		ResponseEntity<String> declined(@RequestBody @Valid Payment payment) {
			return ResponseEntity.status(402).header("X-Reason", "card").body("declined " + RUNS.incrementAndGet());
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "409")
		@PostMapping("/mapped")
		ResponseEntity<String> mapped() {
			RUNS.incrementAndGet();
			throw new UnsupportedOperationException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = { "410", "409" })
		@PostMapping("/thrown-status")
		ResponseEntity<String> thrownStatus() {
			RUNS.incrementAndGet();
			throw new ResponseStatusException(HttpStatus.GONE, "planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/thrown")
		ResponseEntity<String> thrown() {
			RUNS.incrementAndGet();
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/later")
		Callable<ResponseEntity<String>> later() {
			return this::thrown;
		}

		@PostMapping("/by-property")
		ResponseEntity<String> byProperty() {
			return ResponseEntity.status(503).body("away " + RUNS.incrementAndGet());
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/other")
		ResponseEntity<String> other() {
			return ResponseEntity.status(409).body("no " + RUNS.incrementAndGet());
		}

		@PostMapping("/undeclared")
		ResponseEntity<String> undeclared() {
			return ResponseEntity.status(500).body("no " + RUNS.incrementAndGet());
		}

		@ExceptionHandler(UnsupportedOperationException.class)
		ResponseEntity<String> conflict(UnsupportedOperationException ex) {
			return ResponseEntity.status(409).body("conflict");
		}

		@ApiIdempotent
		@PostMapping("/slow")
		ResponseEntity<Integer> createSlowly() throws InterruptedException {
			started.countDown();
			if (!finish.await(1, TimeUnit.MINUTES)) {
				throw new IllegalStateException("never let through");
			}
			return ResponseEntity.status(201).body(RUNS.incrementAndGet());
		}

	}

	@RestController
	@EnableResilientMethods
	@ApiIdempotent(KeySource.HEADER)
	static class Work implements WebMvcConfigurer {

		static final AtomicBoolean failed = new AtomicBoolean();

		static final Map<String, Integer> completed = new ConcurrentHashMap<>();

		/** What code around the handler saw, by the key that was sent. */
		static final Map<String, List<IdempotencyContext>> seen = new ConcurrentHashMap<>();

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(new HandlerInterceptor() {

				@Override
				public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
						Exception ex) {
					String key = request.getHeader("Idempotency-Key");
					Object context = request.getAttribute(IdempotencyContext.ATTRIBUTE);
					completed.merge(String.valueOf(key), 1, Integer::sum);
					if (key != null && context != null) {
						seen.computeIfAbsent(key, (sent) -> new CopyOnWriteArrayList<>())
							.add((IdempotencyContext) context);
					}
				}

			});
		}

		@Bean
		static OutcomeClassifier classifier() {
			return (operation, answer) -> {
				String body = (answer.body() != null) ? new String(answer.body(), StandardCharsets.UTF_8) : "";
				return switch (body) {
					case "ERROR" -> OutcomeClassifier.OutcomeClass.NO_EFFECT;
					case "DOUBT" -> OutcomeClassifier.OutcomeClass.UNKNOWN;
					case "REJECTED" -> OutcomeClassifier.OutcomeClass.EFFECT;
					default -> null;
				};
			};
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/keeps-failures")
		String keepsFailures() {
			throw new IllegalStateException("planned");
		}

		@PostMapping("/noted")
		String noted() {
			return "noted";
		}

		@PostMapping("/fails-after-{call}")
		void failsAfter(@PathVariable("call") String call, HttpServletRequest request, HttpServletResponse response)
				throws Exception {
			RUNS.incrementAndGet();
			RequestDispatcher another = request.getRequestDispatcher("/noted");
			if (call.equals("include")) {
				another.include(request, response);
			}
			else {
				another.forward(request, response);
			}
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/validates")
		String validates(@Valid @RequestBody Payment payment) {
			return "run " + RUNS.incrementAndGet() + payment.amount();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/coded")
		ResponseEntity<String> coded(@RequestBody String wanted) {
			RUNS.incrementAndGet();
			return ResponseEntity.ok(wanted);
		}

		@PostMapping("/rejected-for-good")
		ResponseEntity<String> rejectedForGood() {
			RUNS.incrementAndGet();
			return ResponseEntity.status(409).body("REJECTED");
		}

		@Retryable(delay = 1)
		@PostMapping("/retries")
		ResponseEntity<String> retries() {
			RUNS.incrementAndGet();
			if (failed.compareAndSet(false, true)) {
				throw new IllegalStateException("planned, once");
			}
			return ResponseEntity.ok("second");
		}

		@Retryable(delay = 1)
		@ApiIdempotent(key = "#content")
		@PostMapping("/retries-content")
		ResponseEntity<String> retriesContent(@RequestBody String content) {
			return ResponseEntity.ok("run " + RUNS.incrementAndGet());
		}

		@ApiIdempotent(key = "#content")
		@PostMapping("/streams-content")
		void streamsContent(@RequestBody String content, OutputStream out) throws IOException {
			out.write(("run " + RUNS.incrementAndGet()).getBytes(StandardCharsets.UTF_8));
		}

	}

	@RestController
	@RequestScope
	static class PerRequest {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/scoped")
		String create() {
			return "run " + RUNS.incrementAndGet();
		}

	}

	@Controller
	@SessionAttributes("draft")
	static class Wizard {

		@GetMapping("/wizard")
		@ResponseBody
		String begin(Model model, HttpSession session) {
			model.addAttribute("draft", "draft");
			return "page";
		}

		@PostMapping("/wizard")
		@ApiIdempotent(KeySource.HEADER)
		@ResponseBody
		String order(@ModelAttribute("draft") String draft, SessionStatus status) {
			status.setComplete();
			return "ordered " + draft;
		}

		@PostMapping("/forms")
		@ApiIdempotent(KeySource.HEADER)
		View enter(@ModelAttribute Payment entries, BindingResult errors) {
			return (model, request, response) -> response.getWriter().write("The form");
		}

	}

	/**
	 * A payment.
	 */
	public record Payment(@Positive int amount) {
	}

}
