package io.idempotent.method;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Two nodes whose only records are the receipts in the database that they share.
 */
class ReceiptStoreTests {

	private static final ObservedDataSource database = new ObservedDataSource(TestDatabase.h2().dataSource());

	private final JdbcTemplate sql = new JdbcTemplate(database);

	private final String key = UUID.randomUUID().toString();

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@BeforeEach
	void start() {
		this.sql.execute("create table if not exists charge (payment varchar(255) not null)");
		this.sql.update("delete from charge");
		this.first = node();
		this.second = node();
	}

	@AfterEach
	void stop() {
		this.second.close();
		this.first.close();
	}

	@Test
	void aRepeatGetsTheResultOnAnyNode() {
		Charged charged = payments(this.first).charge(this.key, 1);
		assertThat(payments(this.first).charge(this.key, 1)).isEqualTo(charged).isNotSameAs(charged);
		assertThat(payments(this.second).charge(this.key, 1)).isEqualTo(charged);
		assertThat(state(this.first).runs).hasValue(1);
		assertThat(state(this.second).runs).hasValue(0);
		assertThat(charges()).isOne();
	}

	@Test
	void anOperationCommitsOnce() {
		payments(this.first).charge("warm-up", 1);
		database.executed().clear();
		payments(this.first).charge(this.key, 1);
		assertThat(database.executed().stream().map((statement) -> statement.replaceFirst("(?<=\\w) .*", "")))
			.containsExactly("select", "setAutoCommit", "insert", "insert", "commit", "setAutoCommit");
	}

	@Test
	void aRepeatCostsOneQuery() {
		payments(this.first).charge(this.key, 1);
		payments(this.second).charge("warm-up", 1);
		database.executed().clear();
		payments(this.second).charge(this.key, 1);
		assertThat(database.executed()).singleElement().asString().startsWith("select");
	}

	@Test
	void twoNodesAtTheSameTimeHaveOneEffectAndOneResult() throws Exception {
		meet();
		CompletableFuture<Charged> here = CompletableFuture.supplyAsync(() -> payments(this.first).charge(this.key, 1));
		CompletableFuture<Charged> there = CompletableFuture
			.supplyAsync(() -> payments(this.second).charge(this.key, 1));
		assertThat(here.get(30, TimeUnit.SECONDS)).isEqualTo(there.get(30, TimeUnit.SECONDS));
		assertThat(charges()).isOne();
	}

	@Test
	void otherContentAtTheSameTimeIsRefused() throws Exception {
		meet();
		List<CompletableFuture<Object>> calls = List.of(
				CompletableFuture.supplyAsync(() -> outcome(() -> payments(this.first).charge(this.key, 1))),
				CompletableFuture.supplyAsync(() -> outcome(() -> payments(this.second).charge(this.key, 2))));
		assertThat(List.of(calls.get(0).get(30, TimeUnit.SECONDS), calls.get(1).get(30, TimeUnit.SECONDS)))
			.containsExactlyInAnyOrder("done", Refusal.KEY_REUSED);
		assertThat(charges()).isOne();
	}

	@Test
	void aTransactionOfItsOwnWithinTheMethodMayCommitFirst() {
		state(this.first).within = () -> {
			TransactionTemplate audit = new TransactionTemplate(this.first.getBean(PlatformTransactionManager.class));
			audit.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			audit.executeWithoutResult((status) -> this.sql.update("insert into charge values ('audit')"));
		};
		Charged charged = payments(this.first).charge(this.key, 1);
		assertThat(payments(this.second).charge(this.key, 1)).isEqualTo(charged);
		assertThat(charges()).isEqualTo(2);
	}

	@Test
	void withTransactionsInsideBothRunAndOneIsRolledBack() throws Exception {
		meet();
		List<CompletableFuture<Object>> calls = List.of(
				CompletableFuture.supplyAsync(() -> outcome(() -> payments(this.first).chargeInside(this.key))),
				CompletableFuture.supplyAsync(() -> outcome(() -> payments(this.second).chargeInside(this.key))));
		assertThat(List.of(calls.get(0).get(30, TimeUnit.SECONDS), calls.get(1).get(30, TimeUnit.SECONDS)))
			.contains("done")
			.isSubsetOf("done", Refusal.RESPONSE_UNAVAILABLE);
		assertThat(charges()).isOne();
		assertThat(payments(this.second).chargeInside(this.key)).isEqualTo(new Charged(this.key, 1));
	}

	@Test
	void aReceiptThatWasRolledBackToASavepointIsInsertedAgain() {
		this.first.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			state(this.first).within = () -> {
				throw new IllegalStateException("planned");
			};
			assertThatIllegalStateException().isThrownBy(() -> payments(this.first).chargeNested(this.key));
			state(this.first).within = () -> {
			};
			payments(this.first).chargeNested(this.key);
		});
		payments(this.second).chargeNested(this.key);
		assertThat(state(this.second).runs).hasValue(0);
		assertThat(charges()).isOne();
	}

	@Test
	void aDuplicateOnTheSameNodeIsInProgress() {
		Payments here = payments(this.first);
		state(this.first).within = () -> refuses(Refusal.IN_PROGRESS,
				() -> CompletableFuture.supplyAsync(() -> here.charge(this.key, 1)).join());
		here.charge(this.key, 1);
		assertThat(charges()).isOne();
	}

	@Test
	void otherContentUnderAKnownKeyIsRefused() {
		payments(this.first).charge(this.key, 1);
		refuses(Refusal.KEY_REUSED, () -> payments(this.second).charge(this.key, 2));
	}

	@Test
	void aFailureIsRolledBackAndRunsAgain() {
		state(this.first).within = () -> {
			throw new IllegalStateException("planned");
		};
		assertThatIllegalStateException().isThrownBy(() -> payments(this.first).charge(this.key, 1));
		assertThat(charges()).isZero();
		payments(this.second).charge(this.key, 1);
		assertThat(charges()).isOne();
	}

	@Test
	void anOperationWithoutATransactionIsRecordedWhenItEnds() {
		Charged charged = payments(this.first).withoutTransaction(this.key);
		assertThat(payments(this.second).withoutTransaction(this.key)).isEqualTo(charged);
		assertThat(state(this.second).runs).hasValue(0);
	}

	@Test
	void whatNeedsAnotherRecordFailsTheStart() {
		for (String impossible : List.of("when-completed=burn", "when-unknown=reject", "when-failed=unknown",
				"receipt=off")) {
			assertThatExceptionOfType(RuntimeException.class).as(impossible)
				.isThrownBy(() -> node("--idempotent.operations[Payments.charge]." + impossible).close())
				.withStackTraceContaining("idempotent.operations[Payments.charge]." + impossible.split("=", -1)[0])
				.withStackTraceContaining("with idempotent.store.type=receipt the receipt");
		}
	}

	@Test
	void withoutReceiptsTheStartFails() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> node("--idempotent.guard.enabled=false").close())
			.withStackTraceContaining("The receipt store was chosen")
			.withStackTraceContaining("nothing keeps receipts");
	}

	/** Each of the next two calls runs while the other one does. */
	private void meet() {
		CyclicBarrier both = new CyclicBarrier(2);
		state(this.first).within = () -> await(both);
		state(this.second).within = () -> await(both);
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(30, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
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
		assertThatExceptionOfType(Exception.class).isThrownBy(call)
			.satisfies((ex) -> assertThat((ex.getCause() != null) ? ex.getCause() : ex).isInstanceOfSatisfying(
					SubmissionRefusedException.class, (refused) -> assertThat(refused.refusal()).isEqualTo(reason)));
	}

	private static ConfigurableApplicationContext node(String... more) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "idempotent.store.type=receipt", "idempotent.guard.enabled=true",
					"idempotent.guard.initialize-schema=always", "idempotent.namespace=payments",
					"idempotent.store.near-cache.enabled=false")
			.run(more);
	}

	private static Payments payments(ConfigurableApplicationContext node) {
		return node.getBean(Payments.class);
	}

	private static State state(ConfigurableApplicationContext node) {
		return node.getBean(State.class);
	}

	private int charges() {
		return this.sql.queryForObject("select count(*) from charge", Integer.class);
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
	static class Application {

		@Bean
		DataSource dataSource() {
			return database;
		}

		@Bean
		State state() {
			return new State();
		}

		@Bean
		Payments payments(TransactionTemplate transaction, State state) {
			return new Payments(new JdbcTemplate(database), transaction, state);
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
			this.state.runs.incrementAndGet();
			this.sql.update("insert into charge values (?)", payment);
			this.state.within.run();
			return new Charged(payment, amount);
		}

		@Idempotent(key = "#payment")
		Charged chargeInside(String payment) {
			return this.transaction.execute((status) -> {
				this.sql.update("insert into charge values (?)", payment);
				this.state.within.run();
				return new Charged(payment, 1);
			});
		}

		@Idempotent(key = "#payment")
		@Transactional(propagation = Propagation.NESTED)
		void chargeNested(String payment) {
			charge(payment, 1);
		}

		@Idempotent(key = "#payment")
		Charged withoutTransaction(String payment) {
			return new Charged(payment, this.state.runs.incrementAndGet());
		}

	}

}
