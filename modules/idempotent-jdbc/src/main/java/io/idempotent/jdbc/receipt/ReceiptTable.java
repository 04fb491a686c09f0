package io.idempotent.jdbc.receipt;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.Conflict;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.FailureTranslator;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.receipt.Receipts.Receipt;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The table of receipts. A receipt is inserted on the connection of the caller's
 * transaction; all other statements use a connection of their own.
 */
final class ReceiptTable {

	static final int BATCH = 1000;

	private static final int NO_TIMEOUT = 0;

	private static final int ATTEMPTS = 3;

	private static final Conflict.Translator TRANSLATOR = new Conflict.Translator();

	private final DataSource dataSource;

	private final ShortStatements database;

	private final String table;

	private final RecordEncryption encryption;

	/** One text, whose hash the driver looks up for each receipt. */
	private volatile @Nullable String insertion;

	ReceiptTable(DataSource dataSource, String table, Duration timeout, RecordEncryption encryption) {
		this.encryption = encryption;
		this.dataSource = dataSource;
		this.database = new ShortStatements(dataSource, timeout,
				(what, cause) -> new StoreUnavailableException(
						"The guarded database did not " + what + ": " + FailureTranslator.reasons(cause), cause),
				Dialect::of);
		this.table = TableName.require(table);
	}

	/** Waits for a transaction that has inserted a receipt of the same operation. */
	Insertion insert(ClaimId claim, Outcome outcome) {
		return inTransaction(claim, (session) -> insert(session, claim, answer(claim, outcome)));
	}

	/**
	 * Inserts several receipts with one batched statement. Returns those that are known
	 * to be new; each other one must be inserted by itself.
	 */
	Set<ClaimId> insertAll(Map<ClaimId, Outcome> receipts) {
		// In one order, so that two transactions with the same keys do not deadlock.
		List<ClaimId> claims = receipts.keySet()
			.stream()
			.sorted(Comparator.comparing((claim) -> key(claim.key()), Arrays::compareUnsigned))
			.toList();
		int[] rows = inTransaction(claims.get(0), (session) -> {
			List<@Nullable Object[]> arguments = claims.stream()
				.map((claim) -> arguments(session, claim,
						answer(claim, receipts.getOrDefault(claim, Outcome.TOMBSTONE))))
				.toList();
			return session.insertAllFirst(insertFirst(session), arguments);
		});
		return IntStream.range(0, rows.length)
			.filter((i) -> rows[i] == 1)
			.mapToObj(claims::get)
			.collect(Collectors.toSet());
	}

	/** In the open transaction; whether the attempt's committed receipt was found. */
	boolean keep(ClaimId claim, Outcome outcome) {
		return inTransaction(claim, (session) -> keep(session, claim, outcome));
	}

	/** Whether the attempt's receipt was found. */
	boolean keepInOwnTransaction(ClaimId claim, Outcome outcome) {
		return this.database.run("store the outcome of operation '" + claim.operation() + "' with its receipt",
				(session) -> keep(session, claim, outcome));
	}

	/**
	 * In a transaction of its own: stores the outcome with the attempt's receipt, or with
	 * a new one. Not if there is a receipt of another attempt.
	 */
	boolean record(ClaimId claim, Outcome outcome) {
		return this.database.run("record the outcome of operation '" + claim.operation() + "'", (session) -> {
			Insertion result = insert(session, claim, answer(claim, outcome));
			return result == Insertion.NEW || (result == Insertion.OWN && keep(session, claim, outcome));
		});
	}

	/** Fails unless the table can be written to. */
	void check() {
		this.database.run("accept receipts", (session) -> {
			session.requireWritable(this.table, "answer");
			return true;
		});
	}

	private boolean keep(StatementSession session, ClaimId claim, Outcome outcome) throws SQLException {
		return session.update("update " + this.table + " set answer = ? where operation_key = ? and owner = ?",
				answer(claim, outcome), key(claim.key()), claim.owner().bytes()) > 0;
	}

	private <T> T inTransaction(ClaimId claim, ThrowingFunction<StatementSession, T, SQLException> statement) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			requireTransaction(connection, claim);
			return statement.apply(new StatementSession(connection, this.database.dialect(connection), secondsLeft()));
		}
		catch (SQLException ex) {
			throw failure(claim, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	/** Of the transaction, if it has a timeout. */
	private int secondsLeft() {
		return (TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder
				&& holder.hasTimeout()) ? holder.getTimeToLiveInSeconds() : NO_TIMEOUT;
	}

	private static DataAccessException failure(ClaimId claim, SQLException ex) {
		String what = "receipt of operation '" + claim.operation() + "'";
		DataAccessException failure = TRANSLATOR.translate(what, null, ex);
		// SQL Server's driver gives a missing table a state of its own.
		if (failure == null || failure instanceof BadSqlGrammarException
				|| failure instanceof UncategorizedSQLException) {
			return new InvalidDataAccessResourceUsageException("The database did not accept the " + what
					+ ", so that its transaction is rolled back: if the table is missing, create "
					+ "it with the schema-*.sql of " + ReceiptTable.class.getPackageName()
					+ ", or let idempotent.initialize-schema do so", ex);
		}
		return failure;
	}

	private byte @Nullable [] answer(ClaimId claim, Outcome outcome) {
		return (this.encryption.encrypt(claim.key(), outcome) instanceof Outcome.Stored stored) ? stored.answer()
				: null;
	}

	private Insertion insert(StatementSession session, ClaimId claim, byte @Nullable [] answer) throws SQLException {
		byte[] owner = claim.owner().bytes();
		for (int i = 0; i < ATTEMPTS; i++) {
			if (insertFirst(session, claim, answer)) {
				return Insertion.NEW;
			}
			byte[] found = owner(session, claim.key()).orElse(null);
			if (found != null) {
				return Arrays.equals(found, owner) ? Insertion.OWN : Insertion.FOREIGN;
			}
			// Another transaction has just rolled it back, or deleted it.
		}
		throw new CannotAcquireLockException("The receipt of operation '" + claim.operation() + "' (key " + claim.key()
				+ ") was inserted and rolled back by other transactions " + ATTEMPTS
				+ " times meanwhile: this transaction is rolled back; try again");
	}

	private boolean insertFirst(StatementSession session, ClaimId claim, byte @Nullable [] answer) throws SQLException {
		return session.insertFirst(insertFirst(session), arguments(session, claim, answer));
	}

	private String insertFirst(StatementSession session) {
		String known = this.insertion;
		if (known == null) {
			known = insertFirst(session.dialect());
			this.insertion = known;
		}
		return known;
	}

	private String insertFirst(Dialect dialect) {
		String into = "insert into " + this.table
				+ " (operation_key, owner, attempt, fingerprint, operation, created_at, answer) ";
		String values = "?, ?, ?, ?, ?, " + dialect.microseconds() + ", ?";
		if (dialect == Dialect.SQL_SERVER) {
			// With xact_abort on, a duplicate would abort the transaction. With holdlock,
			// operations with adjacent keys would wait for each other.
			return into + "select " + values + " where not exists (select 1 from " + this.table
					+ " with (updlock) where operation_key = ?)";
		}
		// In PostgreSQL a failing statement aborts the transaction.
		String unless = (dialect == Dialect.POSTGRESQL) ? " on conflict (operation_key) do nothing" : "";
		return into + "values (" + values + ")" + unless;
	}

	private static @Nullable Object[] arguments(StatementSession session, ClaimId claim, byte @Nullable [] answer) {
		byte[] key = key(claim.key());
		byte[] owner = claim.owner().bytes();
		byte[] fingerprint = claim.fingerprint().digest().bytes();
		return (session.dialect() == Dialect.SQL_SERVER)
				? new @Nullable Object[] { key, owner, claim.attempt(), fingerprint, claim.operation(), answer, key }
				: new @Nullable Object[] { key, owner, claim.attempt(), fingerprint, claim.operation(), answer };
	}

	/** With a row lock, to see what was committed after this transaction started. */
	private Optional<byte[]> owner(StatementSession session, OperationKey key) throws SQLException {
		String condition = " where operation_key = ?";
		String locked = switch (session.dialect()) {
			// The failed insert holds a shared lock on the row, as may those of others.
			case MYSQL -> condition + " lock in share mode";
			case SQL_SERVER -> " with (updlock, rowlock)" + condition;
			case POSTGRESQL, H2, ORACLE -> condition + " for update";
		};
		return session.first("select owner from " + this.table + locked, (row) -> row.getBytes(1), key(key));
	}

	Optional<Receipt> find(OperationKey key) {
		return this.database.run("look for the receipt of an operation",
				(session) -> session.first(
						"select owner, attempt, answer, fingerprint, " + session.dialect().microseconds()
								+ " - created_at from " + this.table + " where operation_key = ?",
						(row) -> receipt(row, key), key(key)));
	}

	private Receipt receipt(ResultSet row, OperationKey key) throws SQLException {
		byte[] fingerprint = row.getBytes(4);
		return new Receipt(Owner.of(row.getBytes(1)), row.getInt(2), outcome(key, row.getBytes(3)),
				(fingerprint != null) ? new Fingerprint(Digest.of(fingerprint)) : null, age(row.getBigDecimal(5)));
	}

	private static Duration age(BigDecimal microseconds) {
		return Duration.of(Math.max(0, microseconds.longValue()), ChronoUnit.MICROS);
	}

	private Outcome outcome(OperationKey key, byte @Nullable [] answer) {
		return (answer != null) ? this.encryption.decrypt(key, Outcome.stored(answer)) : Outcome.TOMBSTONE;
	}

	void delete(ClaimId claim) {
		this.database.run("delete the receipt of operation '" + claim.operation() + "'",
				(session) -> session.update("delete from " + this.table + " where operation_key = ? and owner = ?",
						key(claim.key()), claim.owner().bytes()));
	}

	/** Deletes at most {@value #BATCH} receipts, and returns their number. */
	int purge(Duration age) {
		return this.database.run("delete old receipts",
				(session) -> session.update(purge(this.table, session.dialect()), TimeUnit.MICROSECONDS.convert(age)));
	}

	static String purge(String table, Dialect dialect) {
		String delete = "delete from " + table + " where ";
		String old = "created_at < " + dialect.microseconds() + " - ?";
		return switch (dialect) {
			case MYSQL -> delete + old + " limit " + BATCH;
			// H2 would evaluate a subquery for each row.
			case H2 -> delete + old + " fetch first " + BATCH + " rows only";
			// Without statistics, the planner supposes that an open range has many rows
			// and a closed one few: only then does it read the index.
			case POSTGRESQL -> delete + "operation_key = any(array(select operation_key from " + table
					+ " where created_at >= 0 and " + old + " order by created_at limit " + BATCH + "))";
			case ORACLE -> delete + old + " and rownum <= " + BATCH;
			case SQL_SERVER -> "delete top (" + BATCH + ") from " + table + " where " + old;
		};
	}

	/** By the clock of the database, read from the index; empty if there is none. */
	Optional<Duration> oldest() {
		return this.database
			.run("look for the oldest receipt",
					(session) -> session.first(
							"select " + session.dialect().microseconds() + " - min(created_at) from " + this.table,
							(row) -> Optional.ofNullable(row.getBigDecimal(1))))
			.flatMap((age) -> age)
			.map(ReceiptTable::age);
	}

	private static byte[] key(OperationKey key) {
		return key.digest().bytes();
	}

	// With a transaction on another database only, each statement commits at once.
	private static void requireTransaction(Connection connection, ClaimId claim) throws SQLException {
		if (connection.getAutoCommit()) {
			throw new IllegalStateException("The receipt of operation '" + claim.operation()
					+ "' is due in a transaction that is not on the guarded DataSource: begin it there");
		}
	}

	/** The result of inserting a receipt. */
	enum Insertion {

		/** It was inserted. */
		NEW,

		/** This attempt had already inserted one. */
		OWN,

		/** Another attempt had already inserted one. */
		FOREIGN

	}

}
