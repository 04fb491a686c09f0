package io.idempotent.method;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * No event says "done" before the effect has been committed. What is recorded then, the
 * programs of tests/programs check.
 */
class CallEndsInTransactionTests {

	private final TestDatabase database = TestDatabase.h2();

	private final DataSource dataSource = this.database.dataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final Events events = new Events();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TransactionAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(DataSource.class, () -> this.dataSource)
		.withBean(JdbcTemplate.class, () -> this.jdbc)
		.withBean(Events.class, () -> this.events)
		.withBean(Ledger.class);

	CallEndsInTransactionTests() {
		this.jdbc.execute("create table ledger (entry varchar(100))");
	}

	@Test
	void theTransactionOfTheMethodItselfIsCommittedBeforeTheRecord() {
		run((context, ledger) -> {
			ledger.inItsOwn("k");
			assertThat(this.events.told).containsExactly("GRANTED with 0", "COMPLETED with 1");
		});
	}

	@Test
	void aTransactionAroundTheMethodIsCommittedBeforeTheRecord() {
		run((context, ledger) -> {
			inTransaction(context, () -> ledger.write("k"));
			assertThat(this.events.told).containsExactly("GRANTED with 0", "COMPLETED with 1");
			ledger.write("k");
			assertThat(entries()).isEqualTo(1);
		});
	}

	@Test
	void aTransactionAroundASecondCallIsCommittedFirst() {
		run((context, ledger) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			var proceed = (IdempotencyTemplate.Entry.Proceed<?>) template.before("op", "k");
			inTransaction(context, () -> {
				this.jdbc.update(Ledger.INSERT);
				proceed.attempt().succeeded(null);
			});
			assertThat(this.events.told).containsExactly("GRANTED with 0", "COMPLETED with 1");
		});
	}

	@Test
	void aRollbackReleasesTheClaim() {
		run((context, ledger) -> {
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					ledger.write("k");
					status.setRollbackOnly();
				});
			assertThat(entries()).isZero();
			ledger.write("k");
			assertThat(entries()).isEqualTo(1);
			assertThat(this.events.told).containsExactly("GRANTED with 0", "RELEASED with 0", "GRANTED with 0",
					"COMPLETED with 1");
		});
	}

	@Test
	void aRollbackFollowsThePolicyForFailures() {
		run((context, ledger) -> {
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					ledger.careful("k");
					status.setRollbackOnly();
				});
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> ledger.careful("k"))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.OUTCOME_UNKNOWN));
		});
	}

	@Test
	void aRollbackToAnEarlierSavepointReleasesWithTheCommit() {
		run((context, ledger) -> {
			inTransaction(context, () -> {
				ledger.write("stands");
				rollBackToSavepoint(context, () -> ledger.write("k"));
			});
			assertThat(this.events.told).containsExactly("GRANTED with 0", "GRANTED with 0", "COMPLETED with 1",
					"RELEASED with 1");
			ledger.write("k");
			assertThat(entries()).isEqualTo(2);
		});
	}

	private static void rollBackToSavepoint(ApplicationContext context, Runnable work) {
		TransactionTemplate nested = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		nested.executeWithoutResult((status) -> {
			work.run();
			status.setRollbackOnly();
		});
	}

	private void run(Use use) {
		this.runner.run((context) -> use.of(context, context.getBean(Ledger.class)));
	}

	private static void inTransaction(ApplicationContext context, Runnable work) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> work.run());
	}

	private int entries() {
		return Ledger.entries(this.jdbc);
	}

	@FunctionalInterface
	interface Use {

		void of(ApplicationContext context, Ledger ledger);

	}

	/**
	 * Notes for each event how many entries somebody else would see.
	 */
	private final class Events implements IdempotencyListener {

		private final List<String> told = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(IdempotencyEvent event) {
			this.told.add(event.type() + " with " + seenFromOutside());
		}

		private int seenFromOutside() {
			return Ledger.entries(CallEndsInTransactionTests.this.database.sql());
		}

	}

	static class Ledger {

		static final String INSERT = "insert into ledger values ('entry')";

		private final JdbcTemplate jdbc;

		Ledger(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		static int entries(JdbcTemplate jdbc) {
			Integer entries = jdbc.queryForObject("select count(*) from ledger", Integer.class);
			return (entries != null) ? entries : 0;
		}

		@Transactional
		@Idempotent(key = "#id")
		void inItsOwn(String id) {
			this.jdbc.update(INSERT);
		}

		@Idempotent(key = "#id")
		void write(String id) {
			this.jdbc.update(INSERT);
		}

		@Idempotent(key = "#id", whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		void careful(String id) {
			this.jdbc.update(INSERT);
		}

	}

}
