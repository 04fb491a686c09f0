package io.idempotent.lock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;

import io.idempotent.jdbc.StatementSession;

/**
 * The row of a lock for one of its readers. Each change is a transaction that locks the
 * row of the lock first, so that changes for a name are serialized.
 */
final class SharedRow extends LockRow {

	SharedRow(LockDatabase database, String name) {
		super(database, name);
	}

	@Override
	OptionalLong tryTake(Duration lease, String waiter) {
		long micros = LockDatabase.microseconds(lease);
		boolean granted = database().change("share the lock '" + name() + "'",
				(session,
						sql) -> session.update(sql.readers().enter(), micros, micros, waiter, LockDatabase.TURN, waiter,
								name(), waiter) == 1
								&& session.update(sql.readers().insert(), name(), owner(), micros) == 1);
		return granted ? OptionalLong.of(0) : OptionalLong.empty();
	}

	@Override
	boolean renew(Duration lease) {
		long micros = LockDatabase.microseconds(lease);
		return database().change("renew the shared lock '" + name() + "'",
				(session, sql) -> session.update(sql.readers().extend(), micros, micros, name()) == 1
						&& session.update(sql.readers().renew(), micros, name(), owner()) == 1);
	}

	/** Removes expired readers too. A lock that stays taken gets another reader. */
	@Override
	boolean release(Duration stayLocked) {
		return database().change("release the shared lock '" + name() + "'", (session, sql) -> {
			boolean held = session.query(sql.readers().lock(), name(), owner(), name()).orElse(0) == 1
					&& leave(session, sql, stayLocked);
			if (held) {
				session.update(sql.readers().shorten(), name(), name());
			}
			return held;
		});
	}

	private boolean leave(StatementSession session, LockStatements sql, Duration stayLocked) throws SQLException {
		return stayLocked.isZero() ? session.update(sql.readers().delete(), name(), owner()) > 0
				: session.update(sql.readers().replace(), database().ids().next(),
						LockDatabase.microseconds(stayLocked), name(), owner()) == 1;
	}

	@Override
	String look(LockStatements sql) {
		return sql.readers().look();
	}

}
