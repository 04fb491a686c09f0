package io.idempotent.method;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.OutcomeRecoverer;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.Unchecked;
import org.aopalliance.intercept.MethodInterceptor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Calls on two nodes that share the receipts in a database.
 */
class ReceiptCallTests {

	private static final ObservedDataSource database = new ObservedDataSource(TestDatabase.h2().dataSource());

	private static final JdbcTemplate sql = new JdbcTemplate(database);

	private static String key;

	private static ConfigurableApplicationContext first;

	private static ConfigurableApplicationContext second;

	@AfterEach
	void stopNodes() {
		second.close();
		first.close();
	}

	private static void startNodes(String store) {
		key = UUID.randomUUID().toString();
		sql.execute("create table if not exists charge (payment varchar(255) not null)");
		sql.update("delete from charge");
		sql.execute("drop index if exists unique_charge");
		first = node(Application.class, store);
		second = node(Application.class, store);
	}

	/** As if the store had forgotten everything in between. */
	@Nested
	class BesideAStore {

		@BeforeEach
		void start() {
			startNodes("idempotent.store.type=local");
		}

		@Test
		void aConflictWithItsOwnEffectIsResolvedByTheReceipt() {
			sql.execute("create unique index unique_charge on charge (payment)");
			Charged charged = payments(first).charge(key, 1);
			assertThat(payments(second).charge(key, 1)).isEqualTo(charged);
			assertThat(charges()).isOne();
		}

		@Test
		void otherContentIsRefusedHoweverOftenItComes() {
			Charged charged = payments(first).charge(key, 1);
			for (int i = 0; i < 2; i++) {
				refuses(Refusal.KEY_REUSED, () -> payments(second).charge(key, 2));
			}
			assertThat(payments(second).charge(key, 1)).isEqualTo(charged);
			assertThat(charges()).isOne();
		}

		@Test
		void aResultThatWasNotStoredIsRebuilt() {
			Charged charged = payments(first).chargeRecoverably(key);
			assertThat(payments(second).chargeRecoverably(key)).isEqualTo(charged);
			assertThat(payments(second).chargeRecoverably(key)).isEqualTo(charged);
			assertThat(runs()).isEqualTo(2);
			assertThat(charges()).isOne();
		}

		@Test
		void aMethodWithoutAResultReturnsAsIfItHadRun() {
			payments(first).chargeSilently(key);
			payments(second).chargeSilently(key);
			assertThat(charges()).isOne();
		}

		@Test
		void aRollbackAroundACallAllowsAnotherAttempt() {
			assertThatIllegalStateException()
				.isThrownBy(() -> first.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
					payments(first).charge(key, 1);
					throw new IllegalStateException("planned");
				}));
			payments(second).charge(key, 1);
			assertThat(charges()).isOne();
			assertThat(runs()).isEqualTo(2);
		}

		@Test
		void aRefusedAttemptInTwoCallsIsNotRecordedAsItsOwn() {
			attempt(first, "the first");
			attempt(second, "the second");
			assertThat(charges()).isOne();
			assertThat(second.getBean(IdempotencyTemplate.class).before("charge", key, String.class))
				.isEqualTo(new IdempotencyTemplate.Entry.Duplicate<String>(null));
		}

		@SuppressWarnings("unchecked")
		private void attempt(ConfigurableApplicationContext node, String result) {
			IdempotencyTemplate template = node.getBean(IdempotencyTemplate.class);
			var proceed = (IdempotencyTemplate.Entry.Proceed<String>) template.before("charge", key, String.class);
			try {
				proceed.attempt().context().wrap(() -> payments(node).writeInside(key)).call();
			}
			catch (Exception ex) {
				assertThat(ex).isInstanceOf(SubmissionRefusedException.class);
			}
			proceed.attempt().succeeded(result);
		}

		@Test
		void withoutTheStoreARepeatInTheTransactionGetsTheResult() {
			try (ConfigurableApplicationContext adrift = node(Adrift.class, "idempotent.store.type=redis",
					"spring.data.redis.port=1", "idempotent.defaults.when-store-fails=proceed")) {
				adrift.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
					Charged charged = payments(adrift).charge(key, 1);
					assertThat(payments(adrift).charge(key, 1)).isEqualTo(charged);
				});
			}
			assertThat(charges()).isOne();
		}

		@Test
		void enablingTransactionsManuallyKeepsTheResult() {
			try (ConfigurableApplicationContext own = node(OwnTransactions.class, "idempotent.store.type=local")) {
				Charged charged = payments(own).charge(key, 1);
				assertThat(payments(second).charge(key, 1)).isEqualTo(charged);
			}
			assertThat(charges()).isOne();
		}

		/** As a JMS session fails that was to commit with it. */
		@Test
		void aRetryInsideOfTheAdviceCommitsNothingMore() {
			try (ConfigurableApplicationContext retrying = node(Retrying.class, "idempotent.store.type=local")) {
				state(retrying).within = () -> {
					state(retrying).within = () -> {
					};
					failAfterCommit();
				};
				assertThat(payments(retrying).charge(key, 1)).isEqualTo(new Charged(key, 1));
				assertThat(state(retrying).runs).hasValue(1);
			}
			assertThat(charges()).isOne();
		}

	}

	@Nested
	class InPlaceOfAStore {

		@BeforeEach
		void start() {
			startNodes("idempotent.store.type=receipt");
		}

		@Test
		void aRepeatOnAnyNodeIsOneQuery() {
			Charged charged = payments(first).charge(key, 1);
			payments(second).charge("warm-up of " + key, 1);
			for (ConfigurableApplicationContext node : List.of(first, second)) {
				database.executed().clear();
				assertThat(payments(node).charge(key, 1)).isEqualTo(charged);
				assertThat(database.executed()).singleElement().asString().startsWith("select");
			}
			assertThat(runs()).isEqualTo(2);
		}

		@Test
		void anOperationCommitsOnce() {
			payments(first).charge("warm-up of " + key, 1);
			database.executed().clear();
			payments(first).charge(key, 1);
			assertThat(database.executed().stream().map((statement) -> statement.replaceFirst("(?<=\\w) .*", "")))
				.containsExactly("select", "setAutoCommit", "insert", "insert", "commit", "setAutoCommit");
		}

		@Test
		void twoNodesAtTheSameTimeHaveOneEffectAndOneResult() throws Exception {
			meet();
			CompletableFuture<Charged> here = CompletableFuture.supplyAsync(() -> payments(first).charge(key, 1));
			CompletableFuture<Charged> there = CompletableFuture.supplyAsync(() -> payments(second).charge(key, 1));
			assertThat(here.get(30, TimeUnit.SECONDS)).isEqualTo(there.get(30, TimeUnit.SECONDS));
			assertThat(charges()).isOne();
		}

		@Test
		void otherContentAtTheSameTimeIsRefused() throws Exception {
			assertThat(together(() -> payments(first).charge(key, 1), () -> payments(second).charge(key, 2)))
				.containsExactlyInAnyOrder("done", Refusal.KEY_REUSED);
			assertThat(charges()).isOne();
		}

		@Test
		void aTransactionOfItsOwnWithinTheMethodMayCommitFirst() {
			state(first).within = () -> {
				TransactionTemplate audit = new TransactionTemplate(first.getBean(PlatformTransactionManager.class));
				audit.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
				audit.executeWithoutResult((status) -> sql.update("insert into charge values ('audit')"));
			};
			Charged charged = payments(first).charge(key, 1);
			assertThat(payments(second).charge(key, 1)).isEqualTo(charged);
			assertThat(charges()).isEqualTo(2);
		}

		@Test
		void withTransactionsInsideBothRunAndOneIsRolledBack() throws Exception {
			assertThat(together(() -> payments(first).chargeInside(key), () -> payments(second).chargeInside(key)))
				.contains("done")
				.isSubsetOf("done", Refusal.RESPONSE_UNAVAILABLE);
			assertThat(charges()).isOne();
			assertThat(payments(second).chargeInside(key)).isEqualTo(new Charged(key, 1));
		}

		@Test
		void aReceiptThatWasRolledBackToASavepointIsInsertedAgain() {
			first.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				state(first).within = () -> {
					throw new IllegalStateException("planned");
				};
				assertThatIllegalStateException().isThrownBy(() -> payments(first).chargeNested(key));
				state(first).within = () -> {
				};
				payments(first).chargeNested(key);
			});
			payments(second).chargeNested(key);
			assertThat(state(second).runs).hasValue(0);
			assertThat(charges()).isOne();
		}

		@Test
		void whatNeedsAnotherRecordFailsTheStart() {
			for (String impossible : List.of("when-completed=burn", "when-unknown=reject", "when-failed=unknown",
					"receipt=off")) {
				assertThatExceptionOfType(RuntimeException.class).as(impossible)
					.isThrownBy(() -> node(Application.class, "idempotent.store.type=receipt",
							"idempotent.operations[Payments.charge]." + impossible)
						.close())
					.withStackTraceContaining("idempotent.operations[Payments.charge]." + impossible.split("=", -1)[0])
					.withStackTraceContaining("with idempotent.store.type=receipt the receipt");
			}
		}

		@Test
		void withoutReceiptsTheStartFails() {
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(
						() -> node(Application.class, "idempotent.store.type=receipt", "idempotent.guard.enabled=false")
							.close())
				.withStackTraceContaining("The receipt store was chosen")
				.withStackTraceContaining("nothing keeps receipts");
		}

	}

	private static void failAfterCommit() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				throw new IllegalStateException("planned");
			}

		});
	}

	/** Each of the next two calls runs while the other one does. */
	private static void meet() {
		CyclicBarrier both = new CyclicBarrier(2);
		state(first).within = () -> Unchecked.run(() -> both.await(30, TimeUnit.SECONDS));
		state(second).within = () -> Unchecked.run(() -> both.await(30, TimeUnit.SECONDS));
	}

	/** What two calls come to, each of which runs while the other one does. */
	private static List<Object> together(ThrowingCallable one, ThrowingCallable other) throws Exception {
		meet();
		CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> outcome(one));
		CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> outcome(other));
		return List.of(first.get(30, TimeUnit.SECONDS), second.get(30, TimeUnit.SECONDS));
	}

	private static Object outcome(ThrowingCallable call) {
		try {
			call.call();
			return "done";
		}
		catch (SubmissionRefusedException ex) {
			return ex.refusal();
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	private static void refuses(Refusal reason, ThrowingCallable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(reason));
	}

	private static ConfigurableApplicationContext node(Class<?> application, String... more) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "idempotent.guard.enabled=true",
					"idempotent.initialize-schema=always", "idempotent.namespace=payments",
					"idempotent.store.near-cache.enabled=false")
			.properties(more)
			.run();
	}

	private static Payments payments(ConfigurableApplicationContext node) {
		return node.getBean(Payments.class);
	}

	private static State state(ConfigurableApplicationContext node) {
		return node.getBean(State.class);
	}

	private static int runs() {
		return state(first).runs.get() + state(second).runs.get();
	}

	private static int charges() {
		return sql.queryForObject("select count(*) from charge", Integer.class);
	}

	record Charged(String payment, int amount) {
	}

	static class State {

		final AtomicInteger runs = new AtomicInteger();

		volatile Runnable within = () -> {
		};

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			TransactionManagerCustomizationAutoConfiguration.class })
	@Import({ State.class, Payments.class })
	static class Application {

		@Bean
		DataSource dataSource() {
			return database;
		}

		@Bean
		JdbcTemplate jdbcTemplate() {
			return new JdbcTemplate(database);
		}

		@Bean
		OutcomeRecoverer charged() {
			return (operation) -> Optional.of(new Charged((String) operation.arguments().get(0), 1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class OwnTransactions extends Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	static class Adrift extends Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Retrying extends Application {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor retries() {
			NameMatchMethodPointcut charge = new NameMatchMethodPointcut();
			charge.addMethodName("charge");
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(charge, (MethodInterceptor) (invocation) -> {
				try {
					return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
				}
				catch (RuntimeException ex) {
					return invocation.proceed();
				}
			});
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE - 1);
			return advisor;
		}

	}

	static class Payments {

		private final JdbcTemplate sql;

		private final TransactionTemplate transaction;

		private final State state;

		Payments(JdbcTemplate sql, TransactionTemplate transaction, State state) {
			this.sql = sql;
			this.transaction = transaction;
			this.state = state;
		}

		@Idempotent(key = "#payment", compare = "#amount")
		@Transactional
		Charged charge(String payment, int amount) {
			return write(payment, amount);
		}

		@Idempotent(key = "#payment")
		Charged chargeInside(String payment) {
			return writeInside(payment);
		}

		@Idempotent(key = "#payment", recoverer = "charged")
		Charged chargeRecoverably(String payment) {
			return writeInside(payment);
		}

		@Idempotent(key = "#payment")
		void chargeSilently(String payment) {
			writeInside(payment);
		}

		@Idempotent(key = "#payment")
		@Transactional(propagation = Propagation.NESTED)
		void chargeNested(String payment) {
			write(payment, 1);
		}

		Charged writeInside(String payment) {
			return this.transaction.execute((status) -> write(payment, 1));
		}

		private Charged write(String payment, int amount) {
			this.state.runs.incrementAndGet();
			this.sql.update("insert into charge values (?)", payment);
			this.state.within.run();
			return new Charged(payment, amount);
		}

	}

}
