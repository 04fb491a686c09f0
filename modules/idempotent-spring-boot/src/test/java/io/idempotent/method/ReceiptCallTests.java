package io.idempotent.method;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
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
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Calls on two nodes that share a database and nothing else, as if the store had
 * forgotten everything in between.
 */
class ReceiptCallTests {

	private static final DataSource database = TestDatabase.h2().dataSource();

	private final JdbcTemplate sql = new JdbcTemplate(database);

	private final String key = UUID.randomUUID().toString();

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@BeforeEach
	void start() {
		this.sql.execute("create table if not exists charge (payment varchar(255) not null)");
		this.sql.update("delete from charge");
		Payments.runs.set(0);
		this.first = node(Application.class);
		this.second = node(Application.class);
	}

	@AfterEach
	void stop() {
		this.second.close();
		this.first.close();
	}

	@Test
	void aConflictWithItsOwnEffectIsResolvedByTheReceipt() {
		this.sql.execute("create unique index if not exists unique_charge on charge (payment)");
		Charged charged = payments(this.first).charge(this.key);
		assertThat(payments(this.second).charge(this.key)).isEqualTo(charged);
		assertThat(charges()).isOne();
		this.sql.execute("drop index unique_charge");
	}

	@Test
	void aTransactionalResultIsCommittedWithItsEffect() {
		Charged charged = payments(this.first).charge(this.key);
		assertThat(payments(this.second).charge(this.key)).isEqualTo(charged).isNotSameAs(charged);
		assertThat(payments(this.second).charge(this.key)).isEqualTo(charged);
		assertThat(charges()).isOne();
		assertThat(Payments.runs).as("the first run, and the one that was rolled back").hasValue(2);
	}

	@Test
	void otherContentIsRefusedHoweverOftenItComes() {
		Charged charged = payments(this.first).chargeAmount(this.key, 1);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(SubmissionRefusedException.class)
				.isThrownBy(() -> payments(this.second).chargeAmount(this.key, 2))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.KEY_REUSED));
		}
		assertThat(payments(this.second).chargeAmount(this.key, 1)).isEqualTo(charged);
		assertThat(charges()).isOne();
	}

	@Test
	void aResultReturnedAfterTheTransactionIsNotStored() {
		payments(this.first).chargeInside(this.key);
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> payments(this.second).chargeInside(this.key))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(charges()).isOne();
	}

	@Test
	void aResultThatWasNotStoredIsRebuilt() {
		Charged charged = payments(this.first).chargeRecoverably(this.key);
		assertThat(payments(this.second).chargeRecoverably(this.key)).isEqualTo(charged);
		assertThat(payments(this.second).chargeRecoverably(this.key)).isEqualTo(charged);
		assertThat(Payments.runs).hasValue(2);
		assertThat(charges()).isOne();
	}

	@Test
	void aMethodWithoutAResultReturnsAsIfItHadRun() {
		payments(this.first).chargeSilently(this.key);
		payments(this.second).chargeSilently(this.key);
		assertThat(charges()).isOne();
	}

	@Test
	void aCallInATransactionOfTheCallerIsKeptWithItsResult() {
		TransactionTemplate transaction = this.first.getBean(TransactionTemplate.class);
		IdempotencyTemplate here = this.first.getBean(IdempotencyTemplate.class);
		IdempotencyTemplate there = this.second.getBean(IdempotencyTemplate.class);
		String result = transaction.execute((status) -> here.execute("charge", this.key, String.class, (context) -> {
			this.first.getBean(JdbcTemplate.class).update("insert into charge values (?)", this.key);
			return "charged";
		}));
		assertThat(result).isEqualTo("charged");
		String repeat = there.execute("charge", this.key, String.class,
				(context) -> this.second.getBean(TransactionTemplate.class).execute((status) -> {
					this.second.getBean(JdbcTemplate.class).update("insert into charge values (?)", this.key);
					return "charged again";
				}));
		assertThat(repeat).isEqualTo("charged");
		assertThat(charges()).isOne();
	}

	@Test
	void aRollbackAroundACallAllowsAnotherAttempt() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.first.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				payments(this.first).charge(this.key);
				throw new IllegalStateException("planned");
			}));
		payments(this.second).charge(this.key);
		assertThat(charges()).isOne();
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void aRefusedAttemptInTwoCallsIsNotRecordedAsItsOwn() {
		attempt(this.first, "the first");
		attempt(this.second, "the second");
		assertThat(charges()).isOne();
		assertThat(this.second.getBean(IdempotencyTemplate.class).before("charge", this.key, String.class))
			.isEqualTo(new IdempotencyTemplate.Entry.Duplicate<String>(null));
	}

	@SuppressWarnings("unchecked")
	private void attempt(ConfigurableApplicationContext node, String result) {
		IdempotencyTemplate template = node.getBean(IdempotencyTemplate.class);
		var proceed = (IdempotencyTemplate.Entry.Proceed<String>) template.before("charge", this.key, String.class);
		try {
			proceed.attempt().context().wrap(() -> payments(node).writeInside(this.key)).call();
		}
		catch (Exception ex) {
			assertThat(ex).isInstanceOf(SubmissionRefusedException.class);
		}
		proceed.attempt().succeeded(result);
	}

	@Test
	void aFailureAfterTheCommitIsRecordedAsCompleted() {
		assertThatIllegalStateException().isThrownBy(() -> payments(this.first).chargeAndFail(this.key));
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> payments(this.first).chargeAndFail(this.key))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void withoutTheStoreARepeatInTheTransactionGetsTheResult() {
		try (ConfigurableApplicationContext adrift = node(Adrift.class, "idempotent.store.type=redis",
				"spring.data.redis.port=1", "idempotent.defaults.when-store-fails=proceed")) {
			adrift.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				Charged charged = payments(adrift).charge(this.key);
				assertThat(payments(adrift).charge(this.key)).isEqualTo(charged);
			});
		}
		assertThat(charges()).isOne();
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void enablingTransactionsManuallyKeepsTheResult() {
		try (ConfigurableApplicationContext own = node(OwnTransactions.class)) {
			Charged charged = payments(own).charge(this.key);
			assertThat(payments(this.second).charge(this.key)).isEqualTo(charged);
		}
		assertThat(charges()).isOne();
	}

	private static ConfigurableApplicationContext node(Class<?> application, String... more) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "idempotent.store.type=local", "idempotent.guard.enabled=true",
					"idempotent.guard.initialize-schema=always", "idempotent.namespace=payments")
			.properties(more)
			.run();
	}

	private static Payments payments(ConfigurableApplicationContext node) {
		return node.getBean(Payments.class);
	}

	private int charges() {
		return this.sql.queryForObject("select count(*) from charge", Integer.class);
	}

	record Charged(String payment, List<Integer> parts) {
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
		JdbcTemplate jdbcTemplate() {
			return new JdbcTemplate(database);
		}

		@Bean
		Payments payments(JdbcTemplate sql, TransactionTemplate transaction) {
			return new Payments(sql, transaction);
		}

		@Bean
		OutcomeRecoverer charged() {
			return (operation) -> Optional.of(new Charged((String) operation.arguments().get(0), List.of(1, 2)));
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

	static class Payments {

		static final AtomicInteger runs = new AtomicInteger();

		private final JdbcTemplate sql;

		private final TransactionTemplate transaction;

		Payments(JdbcTemplate sql, TransactionTemplate transaction) {
			this.sql = sql;
			this.transaction = transaction;
		}

		@Idempotent(key = "#payment")
		@Transactional
		Charged charge(String payment) {
			return write(payment);
		}

		@Idempotent(key = "#payment", compare = "#amount")
		@Transactional
		Charged chargeAmount(String payment, int amount) {
			return write(payment);
		}

		@Idempotent(key = "#payment")
		Charged chargeInside(String payment) {
			return this.transaction.execute((status) -> write(payment));
		}

		@Idempotent(key = "#payment", recoverer = "charged")
		Charged chargeRecoverably(String payment) {
			return this.transaction.execute((status) -> write(payment));
		}

		@Idempotent(key = "#payment")
		void chargeSilently(String payment) {
			this.transaction.execute((status) -> write(payment));
		}

		@Idempotent(key = "#payment")
		Charged chargeAndFail(String payment) {
			this.transaction.execute((status) -> write(payment));
			throw new IllegalStateException("planned");
		}

		Charged writeInside(String payment) {
			return this.transaction.execute((status) -> write(payment));
		}

		private Charged write(String payment) {
			runs.incrementAndGet();
			this.sql.update("insert into charge values (?)", payment);
			return new Charged(payment, List.of(1, 2));
		}

	}

}
