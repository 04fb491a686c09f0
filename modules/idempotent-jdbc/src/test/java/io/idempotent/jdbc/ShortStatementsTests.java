package io.idempotent.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ShortStatementsTests {

	private static final StatementFailures FAILURES = new StatementFailures(ShortStatementsTests.class,
			IllegalStateException::new, IllegalStateException::new);

	private final SQLException snapshot = new SQLException("Record has changed", "HY000", 1020);

	private final SQLException deadlock = new SQLException("Deadlock found", "40001", 1213);

	/** Of MySQL and MariaDB with {@code binlog_format=STATEMENT}. */
	private final SQLException refused = new SQLException("Impossible to write to binary log", "HY000", 1665);

	private final List<Integer> isolations = new ArrayList<>();

	@Test
	void aDeadlockIsRepeatedAtTheIsolationOfThePool() {
		runWith(this.deadlock, this.deadlock);
		assertThat(this.isolations).containsOnly(Connection.TRANSACTION_REPEATABLE_READ).hasSize(3);
	}

	@Test
	void aConflictOfSnapshotsIsRepeatedAtReadCommitted() {
		runWith(this.snapshot, this.deadlock);
		assertThat(this.isolations).containsExactly(Connection.TRANSACTION_REPEATABLE_READ,
				Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_READ_COMMITTED);
	}

	@Test
	void theLastAttemptIsThatOfThePoolIfReadCommittedIsRefused() {
		runWith(this.snapshot, this.refused);
		assertThat(this.isolations).containsExactly(Connection.TRANSACTION_REPEATABLE_READ,
				Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ);
	}

	@Test
	void theIsolationOfThePoolIsNotRepeatedIfRefused() {
		assertThatIllegalStateException().isThrownBy(() -> runWith(this.refused)).withCause(this.refused);
		assertThat(this.isolations).hasSize(1);
	}

	@Test
	void aCallerThatDoesSomethingElseAfterAConflictGetsItAtOnce() {
		assertThatIllegalStateException()
			.isThrownBy(() -> on((statements) -> statements.runOnce("ask", work(this.deadlock))))
			.withCause(this.deadlock);
		assertThat(this.isolations).hasSize(1);
	}

	private void runWith(SQLException... failures) {
		on((statements) -> statements.run("ask", work(failures)));
	}

	private ThrowingFunction<StatementSession, Boolean, SQLException> work(SQLException... failures) {
		return (session) -> {
			this.isolations.add(session.connection().getTransactionIsolation());
			if (this.isolations.size() <= failures.length) {
				throw failures[this.isolations.size() - 1];
			}
			return true;
		};
	}

	private void on(Consumer<ShortStatements> action) {
		HikariConfig config = TestDatabase.h2().config(1);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		try (HikariDataSource pool = new HikariDataSource(config)) {
			action.accept(new ShortStatements(pool, Duration.ofSeconds(5), FAILURES, Dialect::of));
		}
	}

}
