package io.idempotent.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the end of an operation means for its record.
 */
class OutcomeTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Work.class, "idempotent.store.near-cache.enabled=false");

	@Test
	void aFailureThatMayHaveHadAnEffectLeavesTheOutcomeUnknownAtOnce() {
		String key = newKey();
		assertThat(submit("/keeps-failures", key, "1").statusCode()).isEqualTo(500);
		HttpResponse<byte[]> duplicate = submit("/keeps-failures", key, "1");
		assertThat(duplicate.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(duplicate)).isEqualTo("outcome-unknown");
	}

	@Test
	void aFailedValidationReleasesTheKeyUnderEveryPolicy() {
		int before = Work.runs.get();
		String key = newKey();
		assertThat(submit("/validates", key, "{\"amount\":-1}").statusCode()).isEqualTo(400);
		assertThat(submit("/validates", key, "{\"amount\":\"x\"}").statusCode()).isEqualTo(400);
		HttpResponse<byte[]> corrected = submit("/validates", key, "{\"amount\":1}");
		assertThat(corrected.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(submit("/validates", key, "{\"amount\":1}"))).isTrue();
		assertThat(Work.runs).hasValue(before + 1);
	}

	@Test
	void aClassifierMapsTheApplicationsOwnErrorCodes() {
		int before = Work.runs.get();
		String key = newKey();
		assertThat(submit("/coded", key, "ERROR").statusCode()).isEqualTo(200);
		assertThat(submit("/coded", key, "ERROR").statusCode()).isEqualTo(200);
		assertThat(Work.runs).hasValue(before + 2);
		String doubted = newKey();
		assertThat(TestServer.code(submit("/coded", doubted, "DOUBT"))).isEmpty();
		assertThat(TestServer.code(submit("/coded", doubted, "DOUBT"))).isEqualTo("outcome-unknown");
	}

	@Test
	void anAnswerClassifiedAsAnEffectIsReplayed() {
		int before = Work.runs.get();
		String key = newKey();
		assertThat(submit("/rejected-for-good", key, "x").statusCode()).isEqualTo(409);
		HttpResponse<byte[]> duplicate = submit("/rejected-for-good", key, "x");
		assertThat(duplicate.statusCode()).isEqualTo(409);
		assertThat(TestServer.isReplayed(duplicate)).isTrue();
		assertThat(Work.runs).hasValue(before + 1);
	}

	@Test
	void aRefusalBeforeThereIsAKeyIsPublished() {
		Work.events.clear();
		server.send(server.request("/coded").POST(BodyPublishers.ofString("OK")));
		assertThat(Work.events).containsExactly(
				new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, "Work.coded", "", Refusal.KEY_MISSING));
		String key = newKey();
		submit("/coded", key, "OK");
		submit("/coded", key, "other");
		assertThat(Work.events).extracting(IdempotencyEvent::type)
			.containsExactly(IdempotencyEvent.Type.REFUSED, IdempotencyEvent.Type.GRANTED,
					IdempotencyEvent.Type.COMPLETED, IdempotencyEvent.Type.REFUSED);
	}

	@Test
	void anOperationMaySetItsRetention() {
		int before = Work.runs.get();
		String key = newKey();
		submit("/forgets-soon", key, "x");
		assertThat(TestServer.isReplayed(submit("/forgets-soon", key, "x"))).isTrue();
		await().until(() -> !TestServer.isReplayed(submit("/forgets-soon", key, "x")));
		assertThat(Work.runs.get()).isGreaterThan(before + 1);
	}

	@Test
	void codeAroundTheHandlerCanDetectAReplay() {
		String key = newKey();
		submit("/coded", key, "OK");
		assertThat(seenFor(key, 1).isReplay()).isFalse();
		submit("/coded", key, "OK");
		IdempotencyContext seen = seenFor(key, 2);
		assertThat(seen.isReplay()).isTrue();
		assertThat(seen.attempt()).isOne();
		assertThat(seen.operation()).isEqualTo("Work.coded");
		assertThat(seen.key()).hasSize(43).doesNotContain(key);
	}

	@Test
	void aRetryAroundTheHandlerIsOneOperation() {
		int before = Work.runs.get();
		String key = newKey();
		assertThat(submit("/retries", key, "x").statusCode()).isEqualTo(200);
		assertThat(Work.runs).hasValue(before + 2);
		assertThat(TestServer.isReplayed(submit("/retries", key, "x"))).isTrue();
		assertThat(Work.runs).hasValue(before + 2);
	}

	@Test
	void aRetryAroundTheHandlerDoesNotRunWhatIsReplayedOrRefused() {
		int before = Work.runs.get();
		String content = newKey();
		HttpResponse<byte[]> first = submit("/retries-content", newKey(), content);
		HttpResponse<byte[]> second = submit("/retries-content", newKey(), content);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
		HttpResponse<byte[]> other = submit("/retries-content?other=content", newKey(), content);
		assertThat(TestServer.code(other)).isEqualTo("key-reused");
		assertThat(Work.runs).hasValue(before + 1);
	}

	@Test
	void anAnswerWrittenToAStreamThatWasAnArgumentIsReplayed() {
		int before = Work.runs.get();
		String content = newKey();
		HttpResponse<byte[]> first = submit("/streams-content", newKey(), content);
		HttpResponse<byte[]> second = submit("/streams-content", newKey(), content);
		assertThat(TestServer.text(first)).startsWith("run ");
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(Work.runs).hasValue(before + 1);
	}

	@Test
	void anAnswerInANewerFormatIsRefused() {
		int before = Work.runs.get();
		String key = newKey();
		submit("/coded", key, "OK");
		try (RedisConnection connection = server.bean(RedisConnectionFactory.class).getConnection()) {
			IdempotencyContext context = seenFor(key, 1);
			byte[] record = ("idem:" + context.key()).getBytes(StandardCharsets.US_ASCII);
			// Behind the 59 bytes of the record the answer begins, with a version of its
			// own.
			connection.stringCommands().setRange(record, new byte[] { 99 }, 59);
		}
		HttpResponse<byte[]> duplicate = submit("/coded", key, "OK");
		assertThat(duplicate.statusCode()).isEqualTo(500);
		assertThat(TestServer.code(duplicate)).isEqualTo("record-unreadable");
		assertThat(Work.events).last()
			.extracting(IdempotencyEvent::type, IdempotencyEvent::refusal)
			.containsExactly(IdempotencyEvent.Type.REFUSED, Refusal.RECORD_UNREADABLE);
		assertThat(Work.runs).hasValue(before + 1);
	}

	/**
	 * What code around the handler saw: later than the client its answer, at times.
	 */
	private static IdempotencyContext seenFor(String key, int submission) {
		return await().until(() -> Work.seen.get(key), (seen) -> seen != null && seen.size() >= submission)
			.get(submission - 1);
	}

	private static String newKey() {
		return UUID.randomUUID().toString();
	}

	private static HttpResponse<byte[]> submit(String path, String key, String body) {
		return server.send(server.request(path)
			.header("Content-Type", body.startsWith("{") ? "application/json" : "text/plain")
			.header("Idempotency-Key", key)
			.POST(BodyPublishers.ofString(body)));
	}

	@RestController
	@EnableResilientMethods
	static class Work implements WebMvcConfigurer, IdempotencyListener {

		static final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();

		static final AtomicInteger runs = new AtomicInteger();

		static final AtomicBoolean failed = new AtomicBoolean();

		/** What code around the handler saw, by the key that was sent. */
		static final Map<String, List<IdempotencyContext>> seen = new ConcurrentHashMap<>();

		@Override
		public void onEvent(IdempotencyEvent event) {
			events.add(event);
		}

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(new HandlerInterceptor() {

				@Override
				public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
						Exception ex) {
					String key = request.getHeader("Idempotency-Key");
					Object context = request.getAttribute(IdempotencyContext.ATTRIBUTE);
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

		@ApiIdempotent(value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/validates")
		String validates(@Valid @RequestBody Payment payment) {
			return "run " + runs.incrementAndGet() + payment.amount();
		}

		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		@PostMapping("/coded")
		ResponseEntity<String> coded(@RequestBody String wanted) {
			runs.incrementAndGet();
			return ResponseEntity.ok(wanted);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/rejected-for-good")
		ResponseEntity<String> rejectedForGood() {
			runs.incrementAndGet();
			return ResponseEntity.status(409).body("REJECTED");
		}

		@Retryable(delay = 1)
		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/retries")
		ResponseEntity<String> retries() {
			runs.incrementAndGet();
			if (failed.compareAndSet(false, true)) {
				throw new IllegalStateException("planned, once");
			}
			return ResponseEntity.ok("second");
		}

		@Retryable(delay = 1)
		@ApiIdempotent(key = "#content")
		@PostMapping("/retries-content")
		ResponseEntity<String> retriesContent(@RequestBody String content) {
			return ResponseEntity.ok("run " + runs.incrementAndGet());
		}

		@ApiIdempotent(key = "#content")
		@PostMapping("/streams-content")
		void streamsContent(@RequestBody String content, OutputStream out) throws IOException {
			out.write(("run " + runs.incrementAndGet()).getBytes(StandardCharsets.UTF_8));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/forgets-soon")
		ResponseEntity<String> forgetsSoon(IdempotencyContext context) {
			runs.incrementAndGet();
			context.retainFor(Duration.ofSeconds(2));
			return ResponseEntity.ok("done");
		}

	}

	record Payment(@Positive int amount) {
	}

}
