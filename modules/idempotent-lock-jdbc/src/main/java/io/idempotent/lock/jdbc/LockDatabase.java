package io.idempotent.lock.jdbc;

import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementFailures;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/** Runs statements on the tables of locks. */
final class LockDatabase {

	static final StatementFailures FAILURES = new StatementFailures(LockDatabase.class, NoConnectionException::new,
			LockUnavailableException::new);

	/** The length of a turn in microseconds, if the next one is reserved. */
	static final long TURN = TimeUnit.MILLISECONDS.toMicros(80);

	/** Longer than any lease, and within the calendars of all databases. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private final ShortStatements database;

	private final String leases;

	private final OwnerIds ids;

	private volatile @Nullable LockStatements statements;

	LockDatabase(ShortStatements database, String leases, OwnerIds ids) {
		this.database = database;
		this.leases = TableName.require(leases);
		this.ids = ids;
	}

	String leases() {
		return this.leases;
	}

	String readers() {
		return this.leases + "_reader";
	}

	OwnerIds ids() {
		return this.ids;
	}

	<T extends @Nullable Object> T run(String what, Work<T> work) {
		return this.database.run(what, (session) -> work.run(session, statements(session)));
	}

	/** Takes effect completely or not at all; the work returns whether to commit. */
	boolean change(String what, Work<Boolean> work) {
		return run(what, (session, sql) -> {
			Connection connection = session.connection();
			connection.setAutoCommit(false);
			boolean committed = false;
			try {
				boolean complete = work.run(session, sql);
				if (complete) {
					connection.commit();
					committed = true;
				}
				return complete;
			}
			finally {
				if (!connection.isClosed()) {
					end(connection, committed);
				}
			}
		});
	}

	private static void end(Connection connection, boolean committed) throws SQLException {
		if (!committed) {
			connection.rollback();
		}
		connection.setAutoCommit(true);
	}

	private LockStatements statements(StatementSession session) {
		LockStatements known = this.statements;
		if (known == null) {
			known = LockStatements.of(this.leases, readers(), session.dialect());
			this.statements = known;
		}
		return known;
	}

	/** Rounded up, so that the database does not end a lease before this JVM does. */
	static long microseconds(Duration duration) {
		return TimeUnit.MICROSECONDS.convert((duration.compareTo(LONGEST) < 0) ? duration.plusNanos(999) : LONGEST);
	}

	/** There was no connection, so that nothing was asked. */
	static final class NoConnectionException extends LockUnavailableException {

		@Serial
		private static final long serialVersionUID = 1L;

		NoConnectionException(String message, SQLException cause) {
			super(message, cause);
		}

	}

	@FunctionalInterface
	interface Work<T extends @Nullable Object> {

		T run(StatementSession session, LockStatements sql) throws SQLException;

	}

}
