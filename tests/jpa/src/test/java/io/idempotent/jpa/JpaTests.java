package io.idempotent.jpa;

import java.util.UUID;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.lock.LockLostException;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What holds for the transactions of a real Hibernate on a real PostgreSQL. Transactions
 * inside of each other and commits in doubt are in the programs of tests/programs, a part
 * of which runs on JPA.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JpaTests {

	/** After a commit that failed the receipt is asked before the key is freed. */
	private static final String LOOK_UP = "select owner";

	private final TestPostgres postgres = TestPostgres.start();

	private final WatchedDatabase database = new WatchedDatabase(this.postgres.dataSource());

	private final Node first = Node.start(this.database);

	private final Node second = Node.start(this.database);

	private String payment;

	@AfterAll
	void stop() {
		this.second.close();
		this.first.close();
		this.postgres.close();
	}

	@BeforeEach
	void prepare() {
		this.payment = UUID.randomUUID().toString();
		this.database.sql().update("delete from sale");
		this.database.sql().update("delete from idempotent_receipt");
		this.database.sql().update("delete from idempotent_fence");
		this.database.takeStatements();
	}

	/** Hibernate has rolled back before anyone is told, and left the transaction. */
	@Test
	void aTransactionThatWasRolledBackIsNotRolledBackAgain(CapturedOutput output) {
		assertThatIllegalStateException().isThrownBy(() -> this.first.till().inTransaction(this.payment, () -> {
			this.first.sell(this.payment);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					throw new IllegalStateException("planned");
				}

			});
		})).withMessage("planned");
		assertThat(output).doesNotContain("could not be rolled back");
		this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
		assertThat(this.database.sales(this.payment)).isOne();
	}

	@Test
	void anOperationCostsOneStatement() {
		this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
		assertThat(this.database.takeStatements()).containsExactly("insert into idempotent_receipt",
				"insert into sale");
		assertThat(this.database.sales(this.payment)).isOne();
		assertThat(this.database.receipts()).isOne();
	}

	@Test
	void aSecondRunIsRolledBackBeforeItsFlush() {
		String answer = this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
		this.database.takeStatements();
		assertThat(this.second.till().inTransaction(this.payment, () -> this.second.sell(this.payment)))
			.isEqualTo(answer);
		assertThat(this.database.takeStatements()).contains("insert into idempotent_receipt")
			.doesNotContain("insert into sale");
		assertThat(this.database.sales(this.payment)).isOne();
	}

	@Test
	void aSecondRunThatHasFlushedIsRolledBackAndAnsweredByTheReceipt() {
		String answer = this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
		this.database.takeStatements();
		assertThat(this.second.till().inTransaction(this.payment, () -> {
			this.second.sell(this.payment);
			this.second.entities().flush();
		})).isEqualTo(answer);
		assertThat(this.database.takeStatements()).startsWith("insert into sale", "insert into idempotent_receipt");
		assertThat(this.database.sales(this.payment)).isOne();
	}

	@Test
	void aSecondRunWhoseAnswerIsNotInTheReceiptIsRolledBackAndRefused() {
		sellInOneTransaction(this.first);
		assertThatRefused(() -> sellInOneTransaction(this.second));
		assertThat(this.database.sales(this.payment)).isOne();
	}

	/** Spring calls nobody between that flush and the commit. */
	@Test
	void anOperationThatBeginsInTheFlushOfACommitLeavesAReceipt() {
		sellInTheFlush(this.first);
		assertThat(this.database.receipts()).isOne();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> sellInTheFlush(this.second));
		assertThat(this.database.sales(this.payment)).isOne();
	}

	private void sellInTheFlush(Node node) {
		node.inTransaction(() -> node.entities()
			.persist(new Sale("another", () -> node.till().inTransaction(this.payment, () -> sellByJdbc(node)))));
	}

	@Test
	void aReadOnlyTransactionLeavesNoReceipt() {
		this.first.till()
			.aroundTransactions(this.payment, () -> this.first
				.inReadOnlyTransaction(() -> assertThat(this.first.entities().find(Sale.class, "none")).isNull()));
		assertThat(this.database.takeStatements()).hasSize(1);
		assertThat(this.database.receipts()).isZero();
	}

	@Test
	void jdbcWritesBelongToTheSameTransaction() {
		sellByJpaAndJdbc(this.first);
		assertThat(this.database.sales(this.payment)).isEqualTo(2);
		assertThatRefused(() -> sellByJpaAndJdbc(this.second));
		assertThat(this.database.sales(this.payment)).isEqualTo(2);
	}

	@Test
	void anOptimisticLockFailureLeavesNoReceipt() {
		Sale sale = new Sale("open");
		this.first.inTransaction(() -> this.first.entities().persist(sale));
		this.database.takeStatements();
		assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> pay(sale,
				() -> this.database.sql().update("update sale set version = version + 1 where id = ?", sale.id())));
		assertThat(this.database.takeStatements()).endsWith("insert into idempotent_receipt", "update sale set",
				LOOK_UP);
		assertThat(this.database.receipts()).isZero();
		pay(sale, () -> {
		});
		assertThat(this.database.sales(this.payment)).isOne();
		assertThat(this.database.receipts()).isOne();
	}

	private void pay(Sale sale, Runnable meanwhile) {
		this.first.till().inTransaction(this.payment, () -> {
			this.first.entities().find(Sale.class, sale.id()).payBy(this.payment);
			meanwhile.run();
		});
	}

	@Test
	void aConstraintViolatedAtTheCommitLeavesNoReceipt() {
		this.database.sql()
			.execute("alter table sale add constraint one_sale unique (payment) deferrable initially deferred");
		try {
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> this.first.till().inTransaction(this.payment, () -> {
					this.first.sell(this.payment);
					this.first.sell(this.payment);
				}));
			assertThat(this.database.takeStatements()).containsExactly("insert into idempotent_receipt",
					"insert into sale", "insert into sale", LOOK_UP);
			assertThat(this.database.receipts()).isZero();
			this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
			assertThat(this.database.sales(this.payment)).isOne();
		}
		finally {
			this.database.sql().execute("alter table sale drop constraint one_sale");
		}
	}

	@Test
	void aTransactionUnderALockRaisesItsFenceFirst() {
		this.first.till().inLock(() -> {
			assertThat(this.database.takeStatements()).isNotEmpty()
				.allSatisfy((statement) -> assertThat(statement).contains("idempotent_fence"));
			this.first.sell(this.payment);
		});
		assertThat(this.database.takeStatements()).containsExactly("insert into sale");
	}

	@Test
	void aStaleHolderIsRolledBack() {
		this.database.sql().update("insert into idempotent_fence values ('shop:lock:till', ?)", Long.MAX_VALUE);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.first.till().inLock(() -> this.first.sell(this.payment)));
		assertThat(this.database.sales(this.payment)).isZero();
	}

	private void sellInOneTransaction(Node node) {
		node.till().aroundTransactions(this.payment, () -> node.inTransaction(() -> node.sell(this.payment)));
	}

	private void sellByJpaAndJdbc(Node node) {
		node.till().aroundTransactions(this.payment, () -> node.inTransaction(() -> {
			node.sell(this.payment);
			sellByJdbc(node);
		}));
	}

	private void sellByJdbc(Node node) {
		node.context()
			.getBean(JdbcTemplate.class)
			.update("insert into sale values (?, ?, 0)", UUID.randomUUID().toString(), this.payment);
	}

	private static void assertThatRefused(Runnable run) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(run::run)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
	}

}
