package io.idempotent.webmvc;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.OutcomeRecoverer;
import io.idempotent.ReceiptMode;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.observation.MicrometerSubmissionObserver;
import io.idempotent.observation.SubmissionObservationContext;
import io.idempotent.submission.event.SubmissionObserver;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.concurrent.FutureUtils;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a receipt in the application's database makes of requests whose record was lost.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReceiptTests {

	private static final String[] GUARDED = { "idempotent.guard.enabled=true", "idempotent.initialize-schema=always",
			"idempotent.store.near-cache.enabled=false" };

	private static EmbeddedRedis redis;

	private static TestServer server;

	private static TestServer adrift;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.start(redis, Shop.class, GUARDED);
		adrift = TestServer.start(redis, Shop.class, GUARDED[0], GUARDED[1], "spring.data.redis.port=1");
		sql().execute("create table if not exists effect (content varchar(255) not null)");
		sql().execute("create table if not exists unique_effect (content varchar(255) primary key)");
	}

	@AfterAll
	static void stop() {
		adrift.close();
		server.close();
		redis.close();
	}

	@BeforeEach
	void clear() {
		sql().update("delete from effect");
		Shop.runs.set(0);
	}

	@Test
	void aRepeatWhoseRecordWasLostIsRolledBack() {
		String key = TestServer.newKey();
		assertThat(submit("/orders", key, "book").statusCode()).isEqualTo(201);
		forgetEverything();
		HttpResponse<byte[]> repeat = submit("/orders", key, "book");
		assertThat(repeat.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(repeat)).isEqualTo("response-unavailable");
		assertThat(effects()).isOne();
		assertThat(TestServer.code(submit("/orders", key, "book"))).isEqualTo("response-unavailable");
		assertThat(Shop.runs).hasValue(2);
	}

	@Test
	void anOperationThatLeavesNoReceiptTakesEffectAgain() {
		String key = TestServer.newKey();
		submit("/unguarded", key, "book");
		forgetEverything();
		assertThat(submit("/unguarded", key, "book").statusCode()).isEqualTo(201);
		assertThat(effects()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/unique", "/unique-returning", "/replaying" })
	void aUniqueKeyDoesNotHideALostRecord(String path) {
		String key = TestServer.newKey();
		assertThat(submit(path, key, key).statusCode()).isEqualTo(200);
		forgetEverything();
		HttpResponse<byte[]> repeat = submit(path, key, key);
		assertThat(repeat.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(repeat)).isEqualTo("response-unavailable");
		assertThat(TestServer.header(repeat, "Content-Type")).startsWith("application/problem+json");
		assertThat(TestServer.code(submit(path, key, key))).isEqualTo("response-unavailable");
		assertThat(Shop.runs).hasValue(2);
	}

	@Test
	void aLateAnswerReplacesTheTombstoneOfItsSuccessor() {
		String key = TestServer.newKey();
		Shop.meanwhile = () -> {
			forgetEverything();
			assertThat(TestServer.code(submit("/slow", key, "book"))).isEqualTo("response-unavailable");
		};
		HttpResponse<byte[]> answer = submit("/slow", key, "book");
		TestServer.assertReplays(answer, submit("/slow", key, "book"));
		forgetEverything();
		for (String lifetime : new String[] { "86400", "" }) {
			HttpResponse<byte[]> repeat = submit("/slow", key, "book");
			TestServer.assertReplays(answer, repeat);
			assertThat(String.join(", ", repeat.headers().allValues("Idempotency-TTL"))).isEqualTo(lifetime);
			assertThat(repeat.headers().allValues("X-Done")).containsExactly("yes");
		}
		assertThat(effects()).isOne();
	}

	@Test
	void anAnswerInPlaceOfAConflictHasNoHeaderOfTheConflict() {
		String key = TestServer.newKey();
		AtomicReference<HttpResponse<byte[]>> unavailable = new AtomicReference<>();
		Shop.meanwhile = () -> {
			forgetEverything();
			unavailable.set(submit("/unique-with-header", key, key));
		};
		HttpResponse<byte[]> answer = submit("/unique-with-header", key, key);
		assertThat(TestServer.code(unavailable.get())).isEqualTo("response-unavailable");
		assertThat(unavailable.get().headers().allValues("X-Conflict")).isEmpty();
		forgetEverything();
		HttpResponse<byte[]> repeat = submit("/unique-with-header", key, key);
		TestServer.assertReplays(answer, repeat);
		assertThat(repeat.headers().allValues("X-Done")).containsExactly("yes");
		assertThat(repeat.headers().allValues("X-Conflict")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/slow, 403", "/slow-later, 403", "/recoverable, 403", "/later-recoverable, 403",
			"/unique-with-header, 409" })
	void anAnswerThatAReceiptGivesNeedsPermission(String path, int status) throws InterruptedException {
		String key = TestServer.newKey();
		Shop.meanwhile = () -> {
			forgetEverything();
			submit(path, key, key);
		};
		HttpResponse<byte[]> answer = submit(path, key, key);
		for (int repeats = 0; repeats < 2; repeats++) {
			forgetEverything();
			Shop.outcomes.clear();
			HttpResponse<byte[]> denied = server.send(request(server, path, key, key).header("X-Barred", "yes"));
			assertThat(denied.statusCode()).isEqualTo(status);
			assertThat(Shop.outcomes.poll(10, TimeUnit.SECONDS)).isEqualTo("replay-denied");
			assertThat(TestServer.text(denied)).doesNotContain(key);
			assertThat(TestServer.isReplayed(denied)).isFalse();
		}
		TestServer.assertReplays(answer, submit(path, key, key));
		assertThat(effects()).isOne();
	}

	/** It counts as completed, as a warning of its own says. */
	@Test
	void aFormShownAgainWithItsErrorsNeedsNoReceipt(CapturedOutput log) {
		assertThat(TestServer.text(enter("amount=many"))).isEqualTo("form");
		assertThat(log).contains("Operation 'Shop.enter' has shown a form again").doesNotContain("without a receipt");
		enter("amount=7");
		assertThat(log).contains("Operation 'Shop.enter' succeeded without a receipt");
	}

	private static HttpResponse<byte[]> enter(String entries) {
		return server.send(server.request("/entry")
			.header("Content-Type", "application/x-www-form-urlencoded")
			.header("Idempotency-Key", TestServer.newKey())
			.POST(BodyPublishers.ofString(entries)));
	}

	@Test
	void aFormThatIsRefusedAfterACommitInDoubtHasTakenEffect() {
		String key = TestServer.newKey();
		server.bean(LosingTransactionManager.class).loseNextCommit(true);
		assertThat(TestServer.code(submit("/doubted", key, "typo"))).isEqualTo("response-unavailable");
		assertThat(TestServer.code(submit("/doubted", key, "typo"))).isEqualTo("response-unavailable");
		assertThat(Shop.runs).hasValue(1);
		assertThat(effects()).isOne();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/unguarded-service", "/unguarded-transactional", "/unguarded-later", "/unguarded-doubted" })
	void withoutAReceiptACommitInDoubtLeavesTheOutcomeUnknown(String path) {
		String key = TestServer.newKey();
		server.bean(LosingTransactionManager.class).loseNextCommit(true);
		assertThat(submit(path, key, "book").statusCode()).isIn(422, 500);
		assertThat(TestServer.code(submit(path, key, "book"))).isEqualTo("outcome-unknown");
		assertThat(effects()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "true, 409", "false, 200" })
	void anErrorAfterACommitInDoubtIsNotReplayed(boolean committed, int status) {
		String key = TestServer.newKey();
		server.bean(LosingTransactionManager.class).loseNextCommit(committed);
		assertThat(submit("/replaying", key, key).statusCode()).isEqualTo(500);
		assertThat(submit("/replaying", key, key).statusCode()).isEqualTo(status);
		assertThat(effects()).isOne();
	}

	@Test
	void aDeclineWithItsOwnAuditIsReplayedWithoutAReceipt() {
		String key = TestServer.newKey();
		assertThat(submit("/declining", key, "refused").statusCode()).isEqualTo(402);
		HttpResponse<byte[]> repeat = submit("/declining", key, "refused");
		assertThat(repeat.statusCode()).isEqualTo(402);
		assertThat(TestServer.isReplayed(repeat)).isTrue();
		assertThat(Shop.runs).hasValue(1);
	}

	@Test
	void aRebuiltAnswerIsReturnedAndStored() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = submit("/recoverable", key, "book");
		forgetEverything();
		HttpResponse<byte[]> repeat = submit("/recoverable", key, "book");
		TestServer.assertReplays(first, repeat);
		assertThat(repeat.headers().allValues("Idempotency-TTL")).containsExactly("86400");
		int asked = Shop.recovered.get();
		HttpResponse<byte[]> another = submit("/recoverable", key, "book");
		TestServer.assertReplays(first, another);
		assertThat(Shop.recovered).hasValue(asked);
		assertThat(effects()).isOne();
	}

	@Test
	void anAnswerRebuiltAfterTheTransactionIsReturned() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = submit("/recoverable-transactional", key, "book");
		forgetEverything();
		TestServer.assertReplays(first, submit("/recoverable-transactional", key, "book"));
		assertThat(effects()).isOne();
	}

	@Test
	void anAnswerThatTheApplicationCannotRebuildIsUnavailable() {
		for (String content : new String[] { "unknown", "broken", "mistyped" }) {
			String key = TestServer.newKey();
			submit("/recoverable", key, content);
			forgetEverything();
			assertThat(TestServer.code(submit("/recoverable", key, content))).as(content)
				.isEqualTo("response-unavailable");
		}
	}

	@Test
	void anAnswerWithoutAnEffectWithdrawsTheReceipt() {
		String key = TestServer.newKey();
		assertThat(submit("/audited", key, "refused").statusCode()).isEqualTo(422);
		assertThat(submit("/audited", key, "refused").statusCode()).isEqualTo(422);
		assertThat(Shop.runs).hasValue(2);
		assertThat(submit("/audited", key, "accepted").statusCode()).isEqualTo(200);
	}

	@Test
	void anExceptionThatBecomesAnEnvelopeWithAnErrorDoesNotWithdrawTheReceipt() {
		String key = TestServer.newKey();
		assertThat(TestServer.text(submit("/enveloped", key, "book"))).isEqualTo("{\"code\":500}");
		assertThat(TestServer.code(submit("/enveloped", key, "book"))).isEqualTo("response-unavailable");
		assertThat(effects()).isOne();
	}

	@Test
	void anOperationThatRunsWithoutTheStoreTakesEffectOnce() {
		String key = TestServer.newKey();
		assertThat(submit(adrift, "/proceeds", key, "book").statusCode()).isEqualTo(200);
		HttpResponse<byte[]> repeat = submit(adrift, "/proceeds", key, "book");
		assertThat(TestServer.code(repeat)).isEqualTo("response-unavailable");
		assertThat(effects()).isOne();
	}

	@Test
	void withoutTheStoreAnAnswerWithoutAnEffectWithdrawsTheReceipt() {
		String key = TestServer.newKey();
		assertThat(submit(adrift, "/audited-proceeding", key, "refused").statusCode()).isEqualTo(422);
		assertThat(submit(adrift, "/audited-proceeding", key, "accepted").statusCode()).isEqualTo(200);
	}

	@Test
	void swallowingTheRefusalDoesNotReportSuccess() {
		for (String path : new String[] { "/swallowing", "/later-swallowing", "/elsewhere-swallowing",
				"/elsewhere-disguising", "/elsewhere-wrapping", "/elsewhere-falling-back" }) {
			String key = TestServer.newKey();
			assertThat(submit(path, key, "book").statusCode()).as(path).isEqualTo(200);
			forgetEverything();
			assertThat(TestServer.code(submit(path, key, "book"))).as(path).isEqualTo("response-unavailable");
		}
		assertThat(effects()).isEqualTo(6);
	}

	@Test
	void theAnswerOfACallableIsRebuilt() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = submit("/later-recoverable", key, "book");
		forgetEverything();
		TestServer.assertReplays(first, submit("/later-recoverable", key, "book"));
		TestServer.assertReplays(first, submit("/later-recoverable", key, "book"));
		assertThat(effects()).isOne();
		assertThat(Shop.runs).hasValue(2);
	}

	@Test
	void aRetryAfterTheCommitReturnsTheRebuiltAnswer() {
		HttpResponse<byte[]> answer = submit("/retried-recoverable", TestServer.newKey(), "book");
		assertThat(TestServer.text(answer)).isEqualTo("done book");
		assertThat(Shop.runs).hasValue(1);
	}

	@Test
	void aDeniedAnswerOfARetryDoesNotWithdrawTheReceipt() {
		String key = TestServer.newKey();
		assertThat(server.send(request(server, "/retried-recoverable", key, "book").header("X-Barred", "yes"))
			.statusCode()).isEqualTo(403);
		assertThat(TestServer.text(submit("/retried-recoverable", key, "book"))).isEqualTo("done book");
		assertThat(effects()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "/calls-another, key-missing", "/locks, locked" })
	void aRefusalAfterTheCommitDoesNotWithdrawTheReceipt(String path, String code) {
		String key = TestServer.newKey();
		assertThat(TestServer.code(submit(path, key, "book"))).isEqualTo(code);
		assertThat(TestServer.code(submit(path, key, "book"))).isEqualTo("response-unavailable");
		assertThat(effects()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/rolled-back", "/rolled-back-unguarded" })
	void anAnswerIsNotRecordedAfterARollback(String path) {
		String key = TestServer.newKey();
		submit(path, key, "book");
		assertThat(effects()).isZero();
		HttpResponse<byte[]> second = submit(path, key, "book");
		TestServer.assertReplays(second, submit(path, key, "book"));
		assertThat(Shop.runs).hasValue(2);
		assertThat(effects()).isOne();
	}

	@Test
	void theTransactionOfAnAsynchronousMethodDoesNotDecide() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = submit("/rolled-back-later", key, "book");
		TestServer.assertReplays(first, submit("/rolled-back-later", key, "book"));
		assertThat(effects()).isOne();
	}

	private static JdbcTemplate sql() {
		return new JdbcTemplate(Shop.database);
	}

	private static int effects() {
		return sql().queryForObject("select count(*) from effect", Integer.class);
	}

	private static void forgetEverything() {
		try (RedisConnection connection = server.bean(RedisConnectionFactory.class).getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	private static HttpResponse<byte[]> submit(String path, String key, String body) {
		return submit(server, path, key, body);
	}

	private static HttpResponse<byte[]> submit(TestServer to, String path, String key, String body) {
		return to.send(request(to, path, key, body));
	}

	private static HttpRequest.Builder request(TestServer to, String path, String key, String body) {
		return to.request(path)
			.header("Content-Type", "text/plain")
			.header("Idempotency-Key", key)
			.POST(BodyPublishers.ofString(body));
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Shop {

		static final ObservedDataSource database = new ObservedDataSource(TestDatabase.h2().dataSource());

		static final AtomicInteger runs = new AtomicInteger();

		static final AtomicInteger recovered = new AtomicInteger();

		/** Of submissions that have ended. */
		static final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();

		/** What happens once between the commit of a slow order and its answer. */
		static volatile Runnable meanwhile = () -> {
		};

		private final TransactionTemplate transaction;

		Shop(TransactionTemplate transaction) {
			this.transaction = transaction;
		}

		@Bean
		static OutcomeClassifier outcomeClassifier() {
			return OutcomeClassifier.jsonField("code", "200");
		}

		@Bean
		static DataSource dataSource() {
			return database;
		}

		@Bean
		static LosingTransactionManager transactionManager(TransactionManagerCustomizers customizers) {
			LosingTransactionManager manager = new LosingTransactionManager(database);
			customizers.customize(manager);
			return manager;
		}

		@Bean
		static DefaultPointcutAdvisor retry() {
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					AnnotationMatchingPointcut.forMethodAnnotation(Retried.class), (MethodInterceptor) (invocation) -> {
						try {
							return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
						}
						catch (IllegalStateException ex) {
							return invocation.proceed();
						}
					});
			advisor.setOrder(AdvisorOrder.IDEMPOTENCY - 1);
			return advisor;
		}

		@Bean
		static SubmissionObserver observer() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new ObservationHandler<SubmissionObservationContext>() {

				@Override
				public void onStop(SubmissionObservationContext context) {
					outcomes.add(context.getOutcome());
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return context instanceof SubmissionObservationContext;
				}

			});
			return new MicrometerSubmissionObserver(registry, null);
		}

		@Bean
		static ReplayAuthorizer authorizer() {
			return (context, request) -> {
				if (request.getHeader("X-Barred") != null) {
					assertThat(RequestContextHolder.getRequestAttributes()).isNotNull();
					throw new ResponseStatusException(HttpStatus.FORBIDDEN);
				}
			};
		}

		@Bean
		static OutcomeRecoverer placed() {
			return (operation) -> {
				recovered.incrementAndGet();
				String content = (String) operation.arguments().get(0);
				return switch (content) {
					case "unknown" -> Optional.empty();
					case "broken" -> throw new IllegalStateException("planned");
					case "mistyped" -> Optional.of(42);
					default -> Optional.of("done " + content);
				};
			};
		}

		@Bean
		static OutcomeRecoverer placedLater() {
			return (operation) -> Optional.of((Callable<String>) () -> "done " + operation.arguments().get(0));
		}

		@PostMapping("/orders")
		@ResponseStatus(HttpStatus.CREATED)
		String order(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/unguarded")
		@ResponseStatus(HttpStatus.CREATED)
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		String unguarded(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/recoverable")
		@ResponseStatus(HttpStatus.CREATED)
		@ApiIdempotent(value = KeySource.HEADER, recoverer = "placed")
		String recoverable(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/recoverable-transactional")
		@Transactional
		@ApiIdempotent(value = KeySource.HEADER, recoverer = "placed")
		public String recoverableInTransaction(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/swallowing")
		String swallow(@RequestBody String content) {
			try {
				return write(content);
			}
			catch (RuntimeException ex) {
				return "done";
			}
		}

		@PostMapping("/audited")
		String audit(@RequestBody String content) {
			write("asked for " + content);
			if (content.equals("refused")) {
				throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT);
			}
			return content;
		}

		@PostMapping("/audited-proceeding")
		@ApiIdempotent(value = KeySource.HEADER, whenStoreFails = WhenStoreFails.PROCEED)
		String auditProceeding(@RequestBody String content) {
			return audit(content);
		}

		@PostMapping("/unique")
		String writeUniquely(@RequestBody String content) {
			try {
				return this.transaction.execute((status) -> {
					runs.incrementAndGet();
					sql().update("insert into unique_effect (content) values (?)", content);
					sql().update("insert into effect (content) values (?)", content);
					return content;
				});
			}
			catch (DuplicateKeyException ex) {
				throw new ResponseStatusException(HttpStatus.CONFLICT);
			}
		}

		@PostMapping("/unique-returning")
		ResponseEntity<String> returnConflict(@RequestBody String content) {
			try {
				return ResponseEntity.ok(writeUniquely(content));
			}
			catch (ResponseStatusException ex) {
				return ResponseEntity.status(ex.getStatusCode()).body("already there");
			}
		}

		private static void letOthersRun() {
			Runnable now = meanwhile;
			meanwhile = () -> {
			};
			now.run();
		}

		@PostMapping("/replaying")
		@ApiIdempotent(value = KeySource.HEADER, replayErrors = { "4xx", "5xx" })
		String replayErrors(@RequestBody String content) {
			return writeUniquely(content);
		}

		@PostMapping("/declining")
		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		String decline(@RequestBody String content) {
			write("asked for " + content);
			throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED);
		}

		@PostMapping("/slow")
		ResponseEntity<String> orderWithHeader(@RequestBody String content) {
			String done = write(content);
			letOthersRun();
			return ResponseEntity.ok().header("X-Done", "yes").body(done);
		}

		@PostMapping("/slow-later")
		Callable<ResponseEntity<String>> orderLater(@RequestBody String content) {
			return () -> orderWithHeader(content);
		}

		@PostMapping("/unique-with-header")
		ResponseEntity<String> orderUniquelyWithHeader(@RequestBody String content) {
			ResponseEntity<String> done = returnConflict(content);
			letOthersRun();
			return ResponseEntity.status(done.getStatusCode())
				.header(done.getStatusCode().isError() ? "X-Conflict" : "X-Done", "yes")
				.body(done.getBody());
		}

		@PostMapping("/doubted")
		String doubt(@RequestBody String content) {
			try {
				return write(content);
			}
			catch (TransactionException ex) {
				throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT);
			}
		}

		@PostMapping("/unguarded-service")
		@RejectsUnknown
		String writeUnguarded(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/unguarded-transactional")
		@RejectsUnknown
		@Transactional
		public String writeUnguardedInTransaction(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/unguarded-later")
		@RejectsUnknown
		Callable<String> writeUnguardedLater(@RequestBody String content) {
			return () -> write(content);
		}

		@PostMapping("/unguarded-doubted")
		@RejectsUnknown
		String doubtUnguarded(@RequestBody String content) {
			return doubt(content);
		}

		@PostMapping("/entry")
		ModelAndView enter(@ModelAttribute Entry entry, BindingResult errors) {
			return new ModelAndView((model, request, response) -> response.getWriter().write("form"),
					errors.getModel());
		}

		@PostMapping("/proceeds")
		@ApiIdempotent(value = KeySource.HEADER, whenStoreFails = WhenStoreFails.PROCEED)
		String proceed(@RequestBody String content) {
			return write(content);
		}

		@PostMapping("/later-swallowing")
		Callable<String> swallowLater(@RequestBody String content) {
			return () -> swallow(content);
		}

		@PostMapping("/later-recoverable")
		@ApiIdempotent(value = KeySource.HEADER, recoverer = "placedLater")
		Callable<String> recoverableLater(@RequestBody String content) {
			return () -> write(content);
		}

		@PostMapping("/elsewhere-swallowing")
		CompletableFuture<String> swallowElsewhere(@RequestBody String content, IdempotencyContext context) {
			return FutureUtils.callAsync(context.wrap(() -> swallow(content)));
		}

		@PostMapping("/elsewhere-disguising")
		CompletableFuture<String> disguiseElsewhere(@RequestBody String content, IdempotencyContext context) {
			return FutureUtils.callAsync(context.wrap(() -> {
				try {
					return write(content);
				}
				catch (RuntimeException ex) {
					throw new IllegalStateException("disguised");
				}
			}));
		}

		@PostMapping("/elsewhere-wrapping")
		CompletableFuture<String> wrapElsewhere(@RequestBody String content, IdempotencyContext context) {
			Callable<String> wrapped = context.wrap(() -> write(content));
			return FutureUtils.callAsync(() -> {
				try {
					return wrapped.call();
				}
				catch (RuntimeException ex) {
					throw new IllegalStateException("wrapped", ex);
				}
			});
		}

		@PostMapping("/elsewhere-falling-back")
		CompletableFuture<String> fallBackElsewhere(@RequestBody String content, IdempotencyContext context) {
			return FutureUtils.callAsync(context.wrap(() -> write(content)))
				.exceptionally((ex) -> "done in another way");
		}

		@Retried
		@PostMapping("/retried-recoverable")
		@ApiIdempotent(value = KeySource.HEADER, recoverer = "placed")
		String retryRecoverably(@RequestBody String content) {
			write(content);
			throw new IllegalStateException("planned");
		}

		@PostMapping("/calls-another")
		String callAnother(@RequestBody String content) {
			write(content);
			throw new SubmissionRefusedException(Refusal.KEY_MISSING, "another");
		}

		@PostMapping("/locks")
		String lock(@RequestBody String content) {
			write(content);
			throw new LockNotObtainedException(List.of("stock"), Duration.ZERO, null);
		}

		@PostMapping("/enveloped")
		String fail(@RequestBody String content) {
			write(content);
			throw new UnsupportedOperationException("planned");
		}

		@ExceptionHandler
		Map<String, Integer> envelope(UnsupportedOperationException failure) {
			return Map.of("code", 500);
		}

		@PostMapping("/rolled-back")
		@Transactional
		public String rollBackFirst(@RequestBody String content) {
			String done = write(content);
			if (runs.get() == 1) {
				TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			}
			return done;
		}

		@PostMapping("/rolled-back-unguarded")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		@Transactional
		public String rollBackFirstUnguarded(@RequestBody String content) {
			return rollBackFirst(content);
		}

		@PostMapping("/rolled-back-later")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		@Transactional
		public Callable<String> rollBackAndWriteLater(@RequestBody String content) {
			TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			return () -> write(content);
		}

		private String write(String content) {
			runs.incrementAndGet();
			this.transaction
				.executeWithoutResult((status) -> sql().update("insert into effect (content) values (?)", content));
			return "done " + content;
		}

	}

	record Entry(int amount) {
	}

	@Retention(RetentionPolicy.RUNTIME)
	@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF, whenUnknown = WhenUnknown.REJECT)
	@interface RejectsUnknown {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Retried {

	}

}
