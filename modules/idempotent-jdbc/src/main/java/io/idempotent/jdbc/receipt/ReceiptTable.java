package io.idempotent.jdbc.receipt;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.Receipts.Receipt;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.FailureTranslator;
import io.idempotent.jdbc.FirstRow;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The table of receipts: one row for each operation that has committed an effect. A
 * receipt is inserted on the connection of the caller's transaction; everything else has
 * a connection of its own.
 */
final class ReceiptTable {

	static final int BATCH = 1000;

	private static final int NO_TIMEOUT = 0;

	private static final int ATTEMPTS = 3;

	private final JdbcTemplate jdbc;

	private final ShortStatements database;

	private final String table;

	ReceiptTable(DataSource dataSource, String table, Duration timeout) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.database = new ShortStatements(dataSource, timeout, new Unavailable());
		this.table = TableName.require(table);
	}

	/**
	 * Inserts the receipt of an effect in the transaction that is open. Waits for another
	 * transaction that has inserted one of the same operation.
	 * @param effect the effect
	 * @param outcome what is kept with it
	 * @return what was met
	 */
	Insertion insert(EffectStatus effect, Outcome outcome) {
		return inTransaction(effect, (session) -> insert(session, effect, answer(outcome)));
	}

	/**
	 * Keeps an outcome with the receipt of a run that has come to it after it had
	 * committed the receipt, in the transaction that is open.
	 * @param effect its effect
	 * @param outcome its outcome
	 * @return whether the receipt was found
	 */
	boolean keep(EffectStatus effect, Outcome outcome) {
		return inTransaction(effect, (session) -> keep(session, effect, outcome));
	}

	/**
	 * The same in a transaction of its own.
	 * @param effect its effect
	 * @param outcome its outcome
	 */
	void keepApart(EffectStatus effect, Outcome outcome) {
		this.database.run("keep the outcome of operation '" + effect.operation() + "' with its receipt",
				(session) -> keep(session, effect, outcome));
	}

	private boolean keep(StatementSession session, EffectStatus effect, Outcome outcome) throws SQLException {
		return session.update("update " + this.table + " set answer = ? where operation_key = ? and owner = ?",
				answer(outcome), key(effect.key()), effect.owner().bytes()) > 0;
	}

	private <T> T inTransaction(EffectStatus effect, ThrowingFunction<StatementSession, T, SQLException> statement) {
		try {
			return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<T>) (connection) -> {
				requireTransaction(connection, effect);
				return statement.apply(new StatementSession(connection, this.database.dialect(connection), NO_TIMEOUT));
			}));
		}
		catch (BadSqlGrammarException ex) {
			throw new InvalidDataAccessResourceUsageException("The database took no receipt of operation '"
					+ effect.operation() + "', so that its transaction is rolled back: if the table is missing, create "
					+ "it with the schema-*.sql of " + getClass().getPackageName()
					+ ", or let idempotent.guard.initialize-schema do so", ex);
		}
	}

	private static byte @Nullable [] answer(Outcome outcome) {
		return (outcome instanceof Outcome.Stored stored) ? stored.answer() : null;
	}

	private Insertion insert(StatementSession session, EffectStatus effect, byte @Nullable [] answer)
			throws SQLException {
		String sql = "insert into " + this.table
				+ " (operation_key, owner, attempt, operation, created_at, answer) values (?, ?, ?, ?, "
				+ session.dialect().microseconds() + ", ?)";
		// In PostgreSQL a statement that fails takes the transaction with it.
		if (session.dialect() == Dialect.POSTGRESQL) {
			sql += " on conflict (operation_key) do nothing";
		}
		byte[] owner = effect.owner().bytes();
		for (int i = 0; i < ATTEMPTS; i++) {
			if (FirstRow.insert(session, sql, key(effect.key()), owner, effect.attempt(), effect.operation(), answer)) {
				return Insertion.NEW;
			}
			byte[] found = owner(session, effect.key()).orElse(null);
			if (found != null) {
				return Arrays.equals(found, owner) ? Insertion.OWN : Insertion.FOREIGN;
			}
			// It has just been taken back.
		}
		throw new CannotAcquireLockException("The receipt of operation '" + effect.operation() + "' (key "
				+ effect.key() + ") was inserted and rolled back by other transactions " + ATTEMPTS
				+ " times meanwhile: this transaction is rolled back; try again");
	}

	/**
	 * Locks the row that it reads, and so reads what has been committed after this
	 * transaction began.
	 */
	private Optional<byte[]> owner(StatementSession session, OperationKey key) throws SQLException {
		// In MySQL whoever met the row has a shared lock on it, and others too.
		String lock = (session.dialect() == Dialect.MYSQL) ? " lock in share mode" : " for update";
		return session.first("select owner from " + this.table + " where operation_key = ?" + lock,
				(row) -> row.getBytes(1), key(key));
	}

	Optional<Receipt> find(OperationKey key) {
		return this.database.run("look for the receipt of an operation",
				(session) -> session.first(
						"select owner, attempt, answer from " + this.table + " where operation_key = ?",
						(row) -> new Receipt(Owner.of(row.getBytes(1)), row.getInt(2), outcome(row.getBytes(3))),
						key(key)));
	}

	private static Outcome outcome(byte @Nullable [] answer) {
		return (answer != null) ? Outcome.stored(answer) : Outcome.TOMBSTONE;
	}

	void delete(EffectStatus effect) {
		this.database.run("take back the receipt of operation '" + effect.operation() + "'",
				(session) -> session.update("delete from " + this.table + " where operation_key = ? and owner = ?",
						key(effect.key()), effect.owner().bytes()));
	}

	/**
	 * Deletes some of the receipts that are older than a time.
	 * @param age the time
	 * @return how many, at most {@value #BATCH}
	 */
	int purge(Duration age) {
		return this.database.run("delete old receipts", (session) -> {
			String old = "created_at < " + session.dialect().microseconds() + " - ?";
			long microseconds = TimeUnit.MICROSECONDS.convert(age);
			return switch (session.dialect()) {
				case MYSQL ->
					session.update("delete from " + this.table + " where " + old + " limit " + BATCH, microseconds);
				case POSTGRESQL, H2 ->
					session.update("delete from " + this.table + " where operation_key in (select operation_key from "
							+ this.table + " where " + old + " limit " + BATCH + ")", microseconds);
			};
		});
	}

	private static byte[] key(OperationKey key) {
		return key.digest().bytes();
	}

	// Beside a transaction on another database, each statement here is one of its own.
	private static void requireTransaction(Connection connection, EffectStatus effect) throws SQLException {
		if (connection.getAutoCommit()) {
			throw new IllegalStateException("The receipt of operation '" + effect.operation()
					+ "' is due in a transaction that is not on the guarded DataSource: begin it there");
		}
	}

	/**
	 * What the insertion of a receipt met.
	 */
	enum Insertion {

		/** There was none. */
		NEW,

		/** There was one of the same run. */
		OWN,

		/** There was one of another run. */
		FOREIGN

	}

	/**
	 * How the table says that the database failed it.
	 */
	private static final class Unavailable implements FailureTranslator {

		@Override
		public RuntimeException noConnection(String what, SQLException cause) {
			return failed(what, cause);
		}

		@Override
		public RuntimeException failed(String what, SQLException cause) {
			return new StoreUnavailableException("The guarded database did not " + what + ": " + cause.getMessage(),
					cause);
		}

	}

}
