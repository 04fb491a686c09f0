package io.idempotent.lock.jdbc;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.jdbc.LeaseTable.State;
import org.jspecify.annotations.Nullable;

/**
 * Locks with a lease in a table of PostgreSQL, MariaDB, MySQL or H2. The table is created
 * by the {@code schema-*.sql} of this package.
 *
 * <p>
 * To take, to renew, to pass on and to release is one statement each, on a row of its
 * own, by the clock of the database. A statement takes a connection from the data source,
 * outside any transaction of the caller, and is committed when it returns: a rollback
 * releases nothing, and waiting holds no connection. A name that was never locked before
 * costs three statements more, once; so does a row that somebody has deleted. A lock that
 * is taken is looked at every 20 to 250 ms, by whoever waits first in each JVM. Who has
 * waited for 250 ms and finds nobody else waiting like that asks for the next turn, and
 * looks more often from then on; nobody else takes the row before, as long as the waiter
 * shows up within a second. So nodes whose threads never pause take turns of about that
 * length. A lock that is passed on within a JVM is not held up by that.
 *
 * <p>
 * The token is raised by the statement that takes the row. It is at least the time in
 * microseconds, so that it grows even when the row was deleted, or comes from a backup or
 * a replica that lagged, as long as the clock of the database is not set back. Rows are
 * kept; an operator may delete those that have expired.
 *
 * <p>
 * <strong>A lock needs a connection beside the one its caller may hold.</strong> If N
 * threads hold all N connections of a pool in transactions and ask for a lock, nobody
 * gets any further until the pool gives up: they fail with
 * {@link LockUnavailableException} after its connection timeout. A data source of its own
 * for locks, even of a few connections, excludes that.
 *
 * <p>
 * A statement that loses to another transaction (deadlock, serialization failure, lock
 * timeout) is repeated twice. One that takes longer than the timeout is cancelled, and a
 * connection that stays silent for a second more is given up. How long it takes to get a
 * connection is up to the data source, even where a lock is not waited for. Safe for use
 * by many threads; the data source stays open.
 */
public final class JdbcLockEngine implements LockEngine {

	/** The table that the schema files create. */
	public static final String DEFAULT_TABLE = "idempotent_lock";

	/** How long a statement may take unless told otherwise. */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	private static final int OWNER_BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final LeaseTable rows;

	/**
	 * Creates an engine on the default table; connects to nothing yet.
	 * @param dataSource where connections come from
	 */
	public JdbcLockEngine(DataSource dataSource) {
		this(dataSource, DEFAULT_TABLE, DEFAULT_TIMEOUT);
	}

	/**
	 * Creates an engine; connects to nothing yet.
	 * @param dataSource where connections come from
	 * @param table the table, with its schema before a dot if need be
	 * @param timeout how long a statement may take, in whole seconds
	 * @throws IllegalArgumentException if the table is no SQL identifier, or the timeout
	 * is shorter than a second
	 */
	public JdbcLockEngine(DataSource dataSource, String table, Duration timeout) {
		this.rows = new LeaseTable(new ShortStatements(dataSource, timeout, new LockFailures()), table);
	}

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			RowTurn turn = new RowTurn(this.rows, request.name(), newOwner(), new PollInterval(wait, waiting));
			try {
				LockGrant grant = acquire(request, turn, waiting);
				if (grant == null) {
					turn.leave();
				}
				return grant;
			}
			catch (NoConnectionException ex) {
				// Nor is there one to leave the turn with: it soon lapses.
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
			Row row = new Row(request.name(), newOwner());
			try {
				OptionalLong token = row.take(request.lease(), turn);
				return token.isPresent() ? new Grant(row, token.getAsLong(), request.lease()) : null;
			}
			catch (LockUnavailableException ex) {
				row.withdraw(ex);
				LockFailures.throwUnlessInterrupted(ex, waiting);
			}
		}
	}

	private String newOwner() {
		byte[] bytes = new byte[OWNER_BYTES];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	/**
	 * The row of a name, as one owner has it or not.
	 */
	private final class Row {

		private final String name;

		private final String owner;

		Row(String name, String owner) {
			this.name = name;
			this.owner = owner;
		}

		OptionalLong take(Duration lease, RowTurn turn) throws InterruptedException {
			LeaseTable rows = JdbcLockEngine.this.rows;
			OptionalLong token = rows.take(this.name, this.owner, turn.waiter(), lease);
			while (token.isEmpty()) {
				State state = rows.look(this.name, turn.waiter());
				if (state == State.MISSING) {
					rows.insert(this.name);
				}
				if (state != State.TAKEN) {
					token = rows.take(this.name, this.owner, turn.waiter(), lease);
				}
				if (token.isEmpty() && !turn.await()) {
					break;
				}
			}
			return token;
		}

		/**
		 * The answer to a take may be lost, and the row taken.
		 * @param failure what is known
		 */
		void withdraw(LockUnavailableException failure) {
			if (failure instanceof NoConnectionException) {
				return;
			}
			try {
				release(Duration.ZERO);
			}
			catch (LockUnavailableException ex) {
				failure.addSuppressed(ex);
			}
		}

		boolean renew(Duration lease) {
			return uninterrupted(() -> JdbcLockEngine.this.rows.renew(this.name, this.owner, lease));
		}

		/**
		 * Gives the row to another owner.
		 * @param next the row as that owner has it from then on
		 * @param lease for how long
		 * @return the token, or nothing if this owner no longer had it
		 */
		OptionalLong handOff(Row next, Duration lease) {
			return uninterrupted(() -> JdbcLockEngine.this.rows.handOff(this.name, this.owner, next.owner, lease));
		}

		boolean release(Duration keepFor) {
			return uninterrupted(() -> JdbcLockEngine.this.rows.release(this.name, this.owner, keepFor));
		}

		/** An interrupt makes pools refuse, and breaks some connections. */
		private static <T> T uninterrupted(Supplier<T> call) {
			boolean interrupted = Thread.interrupted();
			try {
				return call.get();
			}
			finally {
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
			}
		}

	}

	private final class Grant implements LockGrant {

		private final Row row;

		private final long token;

		private final Duration lease;

		Grant(Row row, long token, Duration lease) {
			this.row = row;
			this.token = token;
			this.lease = lease;
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public Duration lease() {
			return this.lease;
		}

		@Override
		public Standing renew(Duration lease) {
			return this.row.renew(lease) ? Standing.HELD : Standing.LOST;
		}

		@Override
		public Standing release(Duration keepFor) {
			return this.row.release(keepFor) ? Standing.HELD : Standing.LOST;
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			Row successor = new Row(next.name(), newOwner());
			try {
				OptionalLong token = this.row.handOff(successor, next.lease());
				return token.isPresent() ? new Grant(successor, token.getAsLong(), next.lease()) : null;
			}
			catch (LockUnavailableException ex) {
				successor.withdraw(ex);
				throw ex;
			}
		}

	}

}
