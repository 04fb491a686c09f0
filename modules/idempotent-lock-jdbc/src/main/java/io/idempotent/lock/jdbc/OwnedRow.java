package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.OptionalLong;

/** The row of a lock for one exclusive owner. Each method is one statement. */
final class OwnedRow extends LockRow {

	OwnedRow(LockDatabase database, String name) {
		super(database, name);
	}

	@Override
	OptionalLong tryTake(Duration lease, String waiter) {
		return database().run("take the lock '" + name() + "'",
				(session, sql) -> session.updateReturning("token", sql.lease().take(), owner(),
						LockDatabase.microseconds(lease), waiter, LockDatabase.TURN, waiter, name(), waiter));
	}

	/**
	 * Takes the row over. Returns the token; nothing if the former owner no longer had
	 * the row, or another node has the next turn.
	 */
	OptionalLong takeFrom(OwnedRow former, Duration lease) {
		return database().run("hand over the lock '" + name() + "'", (session, sql) -> session.updateReturning("token",
				sql.lease().handOff(), owner(), LockDatabase.microseconds(lease), name(), former.owner()));
	}

	@Override
	boolean renew(Duration lease) {
		return database().run("renew the lock '" + name() + "'", (session,
				sql) -> session.update(sql.lease().renew(), LockDatabase.microseconds(lease), name(), owner()) == 1);
	}

	@Override
	boolean release(Duration stayLocked) {
		return database().run("release the lock '" + name() + "'", (session, sql) -> session
			.update(sql.lease().release(), LockDatabase.microseconds(stayLocked), name(), owner()) == 1);
	}

	@Override
	String look(LockStatements sql) {
		return sql.lease().look();
	}

}
