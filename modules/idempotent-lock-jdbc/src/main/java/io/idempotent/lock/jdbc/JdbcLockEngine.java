package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.OptionalLong;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.engine.SharedEntry;
import org.jspecify.annotations.Nullable;

/**
 * Locks with a lease in a table of PostgreSQL, MariaDB, MySQL or H2. The table is created
 * by the {@code schema-*.sql} of this package.
 *
 * <p>
 * Each lock has a row of its own. Acquiring, renewing, handing over and releasing a lock
 * takes one statement each, by the clock of the database. A statement gets a connection
 * from the data source, outside any transaction of the caller, and is committed when it
 * returns. So a rollback releases no lock, and a waiting thread holds no connection. A
 * name that was never locked before takes three additional statements once; so does a
 * deleted row.
 *
 * <p>
 * The first thread that waits in each JVM checks the row every 20 to 250 ms. It reserves
 * the next turn after 30 ms if others have taken the row meanwhile, otherwise after 250
 * ms, unless another node has reserved it, and checks more often from then on. When the
 * turn of the other node is over, after 80 ms, no other thread can take the row before
 * it, or get it by a hand-over within a JVM, as long as the reservation is repeated
 * within a second. So nodes whose threads never pause take turns of about that length.
 *
 * <p>
 * A shared lock has a row for each reader, in a table with the name of the table of
 * leases and {@code _reader} at its end. Each of its operations is a short transaction of
 * two or three statements. When a writer has reserved the next turn, no more readers
 * enter.
 *
 * <p>
 * The statement that takes the row raises the fencing token. The token is at least the
 * time in units of 16 microseconds, so that it grows even if the row was deleted, or
 * comes from a backup or a replica that lagged, as long as the clock of the database is
 * not set back. Rows are kept; an operator may delete those that have expired.
 *
 * <p>
 * <strong>A lock needs a connection in addition to the one that its caller may
 * hold.</strong> If N threads hold all N connections of a pool in transactions and each
 * requests a lock, all of them wait until the connection timeout of the pool, and fail
 * with {@link LockUnavailableException}. A separate data source for locks, even with few
 * connections, avoids that.
 *
 * <p>
 * A statement that conflicts with another transaction (deadlock, serialization failure,
 * lock timeout) is repeated twice. A statement that exceeds the timeout is cancelled, and
 * a connection that does not respond for another second is closed. How long it takes to
 * get a connection depends on the data source, even for an attempt that does not wait for
 * the lock. Safe for use by many threads; {@link #close()} leaves the data source open.
 */
public final class JdbcLockEngine implements LockEngine {

	/** The table that the schema files create. */
	public static final String DEFAULT_TABLE = "idempotent_lock";

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	private final ShortStatements database;

	private final String table;

	private final LockDatabase locks;

	private final JdbcLockInspector inspector;

	/** Creates an engine on the default table; connects to nothing yet. */
	public JdbcLockEngine(DataSource dataSource) {
		this(dataSource, DEFAULT_TABLE, DEFAULT_TIMEOUT, "");
	}

	/**
	 * Creates an engine; connects to nothing yet.
	 * @param table the table, with its schema before a dot if need be
	 * @param timeout how long a statement may take, in whole seconds
	 * @param node the name of this node, which is part of the owner of each row, so that
	 * operators can tell which node holds a lock; ASCII, 64 characters at most, or empty
	 * @throws IllegalArgumentException if the table is no SQL identifier, or the timeout
	 * is shorter than a second
	 */
	public JdbcLockEngine(DataSource dataSource, String table, Duration timeout, String node) {
		this.database = new ShortStatements(dataSource, timeout, LockDatabase.FAILURES, Dialect::forLeases);
		this.table = table;
		this.locks = new LockDatabase(this.database, table, new OwnerIds(node));
		this.inspector = new JdbcLockInspector(this.locks);
	}

	@Override
	public String name() {
		return "jdbc";
	}

	/** The entry is a row in the table whose name ends with {@code _epoch}. */
	@Override
	public SharedEntry sharedEntry(String name) {
		return new JdbcSharedEntry(this.database, this.table + "_epoch", name);
	}

	@Override
	public boolean supports(LockMode mode) {
		return true;
	}

	@Override
	public LockState inspect(String name) {
		return this.inspector.inspect(name);
	}

	@Override
	public boolean forceRelease(String name) {
		return this.inspector.forceRelease(name);
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			RowTurn turn = new RowTurn(this.locks, request.name(), new PollInterval(wait, waiting));
			try {
				LockGrant grant = acquire(request, turn, waiting);
				if (grant == null) {
					turn.leave();
				}
				return grant;
			}
			catch (LockDatabase.NoConnectionException ex) {
				// The turn cannot be released either; it expires soon.
				throw ex;
			}
			catch (InterruptedException | LockUnavailableException ex) {
				turn.leave();
				throw ex;
			}
		}
	}

	private @Nullable LockGrant acquire(LockRequest request, RowTurn turn, InterruptibleWait waiting)
			throws InterruptedException {
		while (true) {
			LockRow row = (request.mode() == LockMode.READ) ? new SharedRow(this.locks, request.name())
					: new OwnedRow(this.locks, request.name());
			try {
				OptionalLong token = turn.take(row, request.lease());
				return token.isPresent() ? new RowGrant(row, token.getAsLong(), request.lease()) : null;
			}
			catch (LockUnavailableException ex) {
				row.withdraw(ex);
				waiting.failed(ex);
			}
		}
	}

}
