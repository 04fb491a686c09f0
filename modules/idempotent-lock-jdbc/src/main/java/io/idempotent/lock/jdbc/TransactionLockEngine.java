package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Locks that are bound to the transaction of the caller: rows that it locks with
 * {@code select ... for update}, in PostgreSQL, MariaDB, MySQL or H2. The table is
 * created by the {@code schema-*.sql} of this package.
 *
 * <p>
 * There is no lease: a holder that loses the connection also loses the transaction, and
 * cannot commit. On the other hand, a lock can only be acquired within a Spring
 * transaction on the data source, with synchronization and not read-only, and it ends
 * with that transaction. {@code unlock} before the end of the transaction frees nothing
 * for other transactions; {@code unlock} after it reports the lock as lost. Neither a
 * lease time nor {@code holdAtLeast} has an effect. A rollback to a savepoint that is
 * older than the lock releases the lock. A connection is occupied while the lock is held,
 * and while it is waited for.
 *
 * <p>
 * Acquiring a lock takes two statements in the transaction. The first one locks the row
 * with {@code skip locked}, and is repeated every 20 to 250 ms while another transaction
 * holds the lock: a statement that waits for a row cannot be interrupted, and one that
 * times out would end the transaction on PostgreSQL. The second one raises the token, so
 * that a rollback undoes it together with all other effects. The next token is still
 * higher, since it is at least the time of the database; on H2, whose clock stands still
 * within a transaction, it may be lower. Nodes do not get the lock in turn. A name that
 * is new to this JVM is looked up first, and inserted if it is missing, on a separate
 * connection that is returned at once. Rows are kept, and must not be deleted while they
 * are in use.
 *
 * <p>
 * Transactions should be {@code READ COMMITTED}, so that the next holder sees what the
 * previous one committed. Under {@code REPEATABLE READ}, MySQL shows it only if nothing
 * was read before the lock was taken, and PostgreSQL, like MariaDB since 11.6, refuses a
 * lock that was granted elsewhere since the first read of the transaction: this ends in
 * {@link LockUnavailableException}, and the transaction can only be rolled back, as after
 * any other failure of a statement of this engine. Safe for use by many threads; the data
 * source stays open.
 */
public final class TransactionLockEngine implements LockEngine {

	/** The table that the schema files create. */
	public static final String DEFAULT_TABLE = "idempotent_transaction_lock";

	private static final String ASK_DATABASE = "Find the session of that transaction with the tools of the database "
			+ "(pg_locks and pg_stat_activity on PostgreSQL, sys.innodb_lock_waits and information_schema.innodb_trx "
			+ "on MySQL and MariaDB), and end it there";

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	private static final int MOST_KNOWN_NAMES = 10_000;

	private final DataSource dataSource;

	private final ShortStatements database;

	private final String table;

	/** Names whose rows exist; cleared when it has grown too large. */
	private final Set<String> known = ConcurrentHashMap.newKeySet();

	/** Creates an engine on the default table; connects to nothing yet. */
	public TransactionLockEngine(DataSource dataSource) {
		this(dataSource, DEFAULT_TABLE, DEFAULT_TIMEOUT);
	}

	/**
	 * Creates an engine; connects to nothing yet.
	 * @param dataSource the data source of the transactions
	 * @param table the table, optionally preceded by its schema and a dot
	 * @param timeout how long a statement may take, in whole seconds
	 * @throws IllegalArgumentException if the table is not an SQL identifier, or the
	 * timeout is shorter than a second
	 */
	public TransactionLockEngine(DataSource dataSource, String table, Duration timeout) {
		this.database = new ShortStatements(dataSource, timeout, LockDatabase.FAILURES, Dialect::forLeases);
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.table = TableName.require(table);
	}

	@Override
	public String name() {
		return "jdbc-transaction";
	}

	/**
	 * Acquires a lock until the transaction ends.
	 * @throws IllegalStateException if the current thread has no transaction on the data
	 * source that could hold the lock
	 */
	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			TransactionScope.Point point = requireTransaction(request.name()).point();
			PollInterval poll = new PollInterval(wait, waiting);
			while (true) {
				try {
					ensureRow(request.name());
					return lock(request.name(), point, poll);
				}
				catch (LockUnavailableException ex) {
					waiting.failed(ex);
				}
			}
		}
	}

	@Override
	public LockState inspect(String name) {
		throw new UnsupportedOperationException("The lock engine 'jdbc-transaction' cannot tell who holds '" + name
				+ "': the lock is a row that an open transaction has locked. " + ASK_DATABASE);
	}

	@Override
	public boolean forceRelease(String name) {
		throw new UnsupportedOperationException("The lock engine 'jdbc-transaction' cannot take '" + name
				+ "' away from its holder: the lock is a row that an open transaction has locked, and ends with it. "
				+ ASK_DATABASE);
	}

	private @Nullable LockGrant lock(String name, TransactionScope.Point point, PollInterval poll)
			throws InterruptedException {
		do {
			OptionalLong token = lock(name);
			if (token.isPresent()) {
				return new Grant(token.getAsLong(), point);
			}
		}
		while (poll.pause());
		// If the row was deleted, the next attempt inserts it again.
		this.known.remove(name);
		return null;
	}

	private ObservedTransaction requireTransaction(String name) {
		ObservedTransaction transaction = TransactionScope.openOn(this.dataSource);
		require(transaction != null, name, "the current thread is in none");
		require(!TransactionSynchronizationManager.isCurrentTransactionReadOnly(), name, "this one is read-only");
		return Objects.requireNonNull(transaction);
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new IllegalStateException("The lock '" + name + "' of the engine 'jdbc-transaction' is held by a "
					+ "transaction on its DataSource, but " + reason
					+ ": take it in code that a @Transactional method or a TransactionTemplate that writes has called, or use "
					+ "the engine 'jdbc'. @DistributedLocked on the @Transactional method itself takes it before the transaction");
		}
	}

	private void ensureRow(String name) {
		if (this.known.contains(name)) {
			return;
		}
		OptionalLong found = this.database.run("look for the lock '" + name + "'",
				(session) -> session.query("select 1 from " + this.table + " where name = ?", name));
		if (found.isEmpty()) {
			this.database.run("insert the lock '" + name + "'", (session) -> session
				.insertFirst("insert into " + this.table + " (name, token) values (?, 0)", name));
		}
		if (this.known.size() >= MOST_KNOWN_NAMES) {
			this.known.clear();
		}
		this.known.add(name);
	}

	private OptionalLong lock(String name) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			require(!connection.getAutoCommit(), name, "the connection at hand is in none");
			Dialect dialect = this.database.dialect(connection);
			StatementSession session = new StatementSession(connection, dialect, this.database.timeout());
			OptionalLong token = session.query(
					"select " + dialect.nextToken() + " from " + this.table + " where name = ? for update skip locked",
					name);
			if (token.isPresent()) {
				session.update("update " + this.table + " set token = ? where name = ?", token.getAsLong(), name);
			}
			return token;
		}
		catch (SQLException ex) {
			throw LockDatabase.FAILURES.unconfirmed("take the lock '" + name + "' in the current transaction", ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	/** A row that is locked from a point of a transaction to its end. */
	private record Grant(long token, TransactionScope.Point point) implements LockGrant {

		@Override
		public Duration lease() {
			return FOREVER;
		}

		@Override
		public boolean isValid() {
			return this.point.isOpen();
		}

		@Override
		public void whenEnded(Runnable action) {
			this.point.transaction().afterCompletion(action);
		}

		@Override
		public GrantState renew(Duration lease) {
			return GrantState.of(isValid());
		}

		/** A deferred unlock, while the transaction completes, is in time. */
		@Override
		public GrantState release(Duration stayLocked) {
			boolean undone = this.point.outcome() != this.point.transaction().outcome();
			return GrantState.of(isValid() || (!undone && isCompleting()));
		}

		private static boolean isCompleting() {
			return TransactionSynchronizationManager.isActualTransactionActive()
					&& (!TransactionSynchronizationManager.isSynchronizationActive()
							|| TransactionScope.isAfterCompletion());
		}

	}

}
