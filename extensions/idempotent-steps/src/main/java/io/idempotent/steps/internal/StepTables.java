package io.idempotent.steps.internal;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementFailures;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TransactionStatements;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.StoredStep.State;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The tables of operations with steps, and of their steps. A row of an operation names
 * the attempt that may write its steps: each statement that writes a step locks this row
 * and compares the owner. So an attempt that was taken over writes nothing, and one that
 * takes over sees all that was written before.
 */
final class StepTables {

	static final int BATCH = 1000;

	private static final int ATTEMPTS = 3;

	private static final int LONGEST_NAME = 255;

	private static final StatementFailures FAILURES = new StatementFailures(OperationSteps.class,
			StoreUnavailableException::new, StoreUnavailableException::new);

	private static final String INSERT_OPERATION = "insert into idempotent_operation (operation_key, owner, operation, "
			+ "namespace, fingerprint, node, attempts, created_at, changed_at, resumptions, arguments, resume_at) "
			+ "values (?, ?, ?, ?, ?, ?, 1, %1$s, %1$s, 0, ?, %2$s)";

	/** A fingerprint that is the key says that nothing was compared beside it. */
	private static final String TAKE_OVER = "update idempotent_operation set owner = ?, node = ?, "
			+ "attempts = attempts + 1, changed_at = %1$s%2$s where operation_key = ? "
			+ "and (fingerprint in (operation_key, ?) or operation_key = ?)";

	/** A repeat after the last attempt to resume it gives it as many attempts again. */
	private static final String KEEP_ARGUMENTS = ", arguments = coalesce(arguments, %2$s), "
			+ "resumptions = case when resume_at is null then 0 else resumptions end, "
			+ "resume_at = case when ended_at is null then coalesce(resume_at, %1$s) end";

	private static final String SAME_ARGUMENTS = " and (arguments is null or arguments = ?)";

	private static final String STEPS = "select name, state, result from idempotent_step where operation_key = ?";

	private static final String INSERT_STEP = "insert into idempotent_step (operation_key, name, state, result, error, "
			+ "node, started_at, done_at) ";

	static final String ARGUMENTS = "arguments";

	private static final String STORED_ARGUMENTS = "select arguments from idempotent_operation "
			+ "where operation_key = ? and arguments is not null";

	private static final String OWNED = " from idempotent_operation where operation_key = ? and owner = ?";

	private final TransactionStatements transaction;

	private final ShortStatements database;

	private final StepSettings settings;

	StepTables(DataSource dataSource, StepSettings settings) {
		this.settings = settings;
		requireRoom("idempotent.namespace", settings.namespace());
		this.transaction = new TransactionStatements(dataSource, OperationSteps.class);
		this.database = new ShortStatements(dataSource, settings.timeout(), FAILURES, Dialect::forLeases);
	}

	ShortStatements statements() {
		return this.database;
	}

	/**
	 * Makes an attempt the owner, and returns what earlier ones have begun. Empty if the
	 * operation has begun with another content. Waits for a transaction of an earlier
	 * attempt that is about to commit a step.
	 * @param arguments with which it can be called again, or {@code null}
	 * @param same whether stored arguments are these: if not, it has begun with another
	 * content
	 */
	Optional<List<StoredStep>> takeOver(StepAttempt attempt, byte @Nullable [] arguments, Predicate<byte[]> same) {
		return this.database.run("take over the steps of operation '" + attempt.operation() + "'",
				(session) -> takeOver(session, attempt, arguments, same));
	}

	private Optional<List<StoredStep>> takeOver(StatementSession session, StepAttempt attempt,
			byte @Nullable [] arguments, Predicate<byte[]> same) throws SQLException {
		byte[] key = attempt.keyBytes();
		String now = session.dialect().microseconds();
		String resumeAt = (arguments != null) ? now + " + " + TimeUnit.MICROSECONDS.convert(this.settings.resumeAfter())
				: "null";
		byte @Nullable [] kept = (arguments != null)
				? this.settings.encryption().encrypt(attempt.key(), ARGUMENTS, arguments) : null;
		for (int i = 0; i < ATTEMPTS; i++) {
			if (insert(session, INSERT_OPERATION.formatted(now, resumeAt), key, attempt, kept)) {
				return Optional.of(List.of());
			}
			if (update(session, now, resumeAt, key, attempt, kept)
					|| updateByStored(session, now, resumeAt, key, attempt, kept, same)) {
				return Optional.of(session.all(STEPS,
						(row) -> new StoredStep(row.getString(1), State.valueOf(row.getString(2)), row.getBytes(3)),
						key));
			}
			if (session.query("select 1 from idempotent_operation where operation_key = ?", key).isPresent()) {
				return Optional.empty();
			}
			// Purged meanwhile.
		}
		throw new SQLException("it was inserted and deleted " + ATTEMPTS + " times meanwhile");
	}

	/**
	 * Encrypted twice, or written by another version, the same arguments are other bytes.
	 * Throws if the stored ones cannot be read here: then it is not known whether they
	 * differ.
	 */
	private boolean updateByStored(StatementSession session, String now, String resumeAt, byte[] key,
			StepAttempt attempt, byte @Nullable [] kept, Predicate<byte[]> same) throws SQLException {
		byte[] stored = session.first(STORED_ARGUMENTS, (row) -> row.getBytes(1), key).orElse(null);
		if (stored == null) {
			return false;
		}
		byte[] read = this.settings.encryption().decrypt(attempt.key(), ARGUMENTS, stored);
		return kept != null && same.test(read) && update(session, now, resumeAt, key, attempt, stored);
	}

	private static boolean update(StatementSession session, String now, String resumeAt, byte[] key,
			StepAttempt attempt, byte @Nullable [] arguments) throws SQLException {
		byte[] owner = attempt.owner().bytes();
		byte[] fingerprint = attempt.fingerprint().digest().bytes();
		if (arguments == null) {
			return session.update(TAKE_OVER.formatted(now, ""), owner, attempt.node(), key, fingerprint,
					fingerprint) == 1;
		}
		String kept = KEEP_ARGUMENTS.formatted(resumeAt, bytes(session.dialect()));
		return session.update(TAKE_OVER.formatted(now, kept) + SAME_ARGUMENTS, owner, attempt.node(), arguments, key,
				fingerprint, fingerprint, arguments) == 1;
	}

	private boolean insert(StatementSession session, String sql, byte[] key, StepAttempt attempt,
			byte @Nullable [] arguments) throws SQLException {
		String unless = (session.dialect() == Dialect.POSTGRESQL) ? " on conflict (operation_key) do nothing" : "";
		return session.insertFirst(sql + unless, key, attempt.owner().bytes(),
				requireRoom("The name of operation", attempt.operation()), this.settings.namespace(),
				attempt.fingerprint().digest().bytes(), attempt.node(), arguments);
	}

	/**
	 * In the tables of all databases: {@code insert ignore} of MySQL would shorten it.
	 */
	static String requireRoom(String what, String name) {
		if (name.length() > LONGEST_NAME) {
			throw new IllegalArgumentException(what + " is '" + name + "', but the tables of steps have room for "
					+ LONGEST_NAME + " characters: make it shorter");
		}
		return name;
	}

	/** Whether the attempt is still the owner. */
	boolean start(StepAttempt attempt, String name) {
		return this.database.run("record the start of step '" + name + "'",
				(session) -> insert(session, attempt, name, State.STARTED, null, null));
	}

	/**
	 * Whether the attempt is still the owner. Part of the open transaction.
	 * @param failed whether the step has failed before
	 */
	boolean commitWith(StepAttempt attempt, String name, byte[] result, boolean failed) {
		return this.transaction.run("record the result of step '" + name + "'",
				(session) -> failed ? finish(session, attempt, name, State.FAILED, result)
						: insert(session, attempt, name, State.DONE, result, null));
	}

	private static boolean insert(StatementSession session, StepAttempt attempt, String name, State state,
			byte @Nullable [] result, @Nullable String error) throws SQLException {
		Dialect dialect = session.dialect();
		String doneAt = (state == State.DONE) ? dialect.microseconds() : "null";
		String sql = INSERT_STEP + "select operation_key, " + text(dialect) + ", '" + state + "', " + bytes(dialect)
				+ ", " + text(dialect) + ", node, " + dialect.microseconds() + ", " + doneAt + OWNED + locked(dialect);
		return session.insertFirst(sql, name, result, error, attempt.keyBytes(), attempt.owner().bytes());
	}

	/** Forgets the start of a step that was not called, if it is still the owner. */
	void withdraw(StepAttempt attempt, String name) {
		this.database.run("withdraw the start of step '" + name + "'",
				(session) -> session.update(
						"delete from idempotent_step where operation_key = ? and name = ? and state = 'STARTED'"
								+ andOwned(session.dialect()),
						attempt.keyBytes(), name, attempt.keyBytes(), attempt.owner().bytes()));
	}

	/** Whether the attempt is still the owner, of a step that is not done. */
	boolean mayRepeat(StepAttempt attempt, String name) {
		return this.database
			.run("check the owner of step '" + name + "'",
					(session) -> session.query(
							"select 1 from idempotent_step where operation_key = ? and name = ? and state = 'STARTED' "
									+ "and result is null and exists (select 1" + OWNED + ")",
							attempt.keyBytes(), name, attempt.keyBytes(), attempt.owner().bytes())
						.isPresent());
	}

	/** Whether the attempt is still the owner, of a step that is not done. */
	boolean finish(StepAttempt attempt, String name, byte[] result) {
		return this.database.run("record the result of step '" + name + "'",
				(session) -> finish(session, attempt, name, State.STARTED, result));
	}

	private static boolean finish(StatementSession session, StepAttempt attempt, String name, State from, byte[] result)
			throws SQLException {
		return session.update(
				"update idempotent_step set state = 'DONE', result = ?, error = null, node = ?, done_at = "
						+ session.dialect().microseconds() + " where operation_key = ? and name = ? and state = ?"
						+ andOwned(session.dialect()),
				result, attempt.node(), attempt.keyBytes(), name, from.name(), attempt.keyBytes(),
				attempt.owner().bytes()) == 1;
	}

	/**
	 * Unless it is no longer the owner, or an operator has confirmed the step meanwhile.
	 * @param tookEffect whether the step did so, without a result that could be used
	 */
	void fail(StepAttempt attempt, StoredStep step, String error, boolean tookEffect) {
		this.database.run("record the failure of step '" + step.name() + "'", (session) -> {
			String bytes = bytes(session.dialect());
			return session.update(
					"update idempotent_step set error = ?, node = ?, done_at = null, result = coalesce(" + bytes
							+ ", result) where operation_key = ? and name = ? and state <> 'DONE' and "
							+ "(result is null or result = " + bytes + ")" + andOwned(session.dialect()),
					error, attempt.node(), tookEffect ? new byte[0] : null, attempt.keyBytes(), step.name(),
					step.result(), attempt.keyBytes(), attempt.owner().bytes());
		});
	}

	/** Tells operators why the attempt is refused. */
	void note(StepAttempt attempt, String reason) {
		this.database.run("record a refusal",
				(session) -> session.update(
						"update idempotent_operation set error = ? where operation_key = ? and owner = ?", reason,
						attempt.keyBytes(), attempt.owner().bytes()));
	}

	/** As {@link #fail}, for a step whose transaction was rolled back with its record. */
	void failNew(StepAttempt attempt, String name, String error) {
		this.database.run("record the failure of step '" + name + "'",
				(session) -> insert(session, attempt, name, State.FAILED, null, error));
	}

	private static String andOwned(Dialect dialect) {
		return " and exists (select 1" + OWNED + locked(dialect) + ")";
	}

	/** A parameter of a select list has no type of its own. Errors are the longest. */
	private static String text(Dialect dialect) {
		return (dialect == Dialect.MYSQL) ? "?" : "cast(? as varchar(500))";
	}

	private static String bytes(Dialect dialect) {
		return switch (dialect) {
			case POSTGRESQL -> "cast(? as bytea)";
			case H2 -> "cast(? as binary large object)";
			default -> "?";
		};
	}

	/** H2 has no lock for readers. */
	private static String locked(Dialect dialect) {
		return switch (dialect) {
			case POSTGRESQL -> " for share";
			case MYSQL -> " lock in share mode";
			default -> "";
		};
	}

}
