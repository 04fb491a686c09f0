package io.idempotent.lock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.support.Interrupts;

/** The row of a lock for one owner, who may or may not have taken it. */
abstract class LockRow {

	private final LockDatabase database;

	private final String name;

	private final String owner;

	LockRow(LockDatabase database, String name) {
		this.database = database;
		this.name = name;
		this.owner = database.ids().next();
	}

	final LockDatabase database() {
		return this.database;
	}

	final String name() {
		return this.name;
	}

	final String owner() {
		return this.owner;
	}

	/**
	 * Takes the row if it is free, unless the turn is over and another waiter has
	 * reserved the next one; a waiter that has reserved it starts the turn of its node.
	 * Returns the token, 0 for a reader; nothing if the row is not free or missing.
	 */
	abstract OptionalLong tryTake(Duration lease, String waiter);

	/** Returns whether the owner still had the row. */
	abstract boolean renew(Duration lease);

	/** The row stays taken for a while; returns whether the owner still had it. */
	abstract boolean release(Duration stayLocked);

	/** Releases the row after the failure of a statement that may have taken it. */
	final void withdraw(LockUnavailableException failure) {
		if (failure instanceof LockDatabase.NoConnectionException) {
			return;
		}
		try {
			boolean unused = Interrupts.deferDuring(() -> release(Duration.ZERO));
		}
		catch (LockUnavailableException ex) {
			failure.addSuppressed(ex);
		}
	}

	/** Reads the row without locking it. It is missing if never used, or deleted. */
	final Optional<State> look(String waiter) {
		return this.database.run("read the lock '" + this.name + "'",
				(session, sql) -> session.first(look(sql), State::read, waiter, waiter, this.name));
	}

	abstract String look(LockStatements sql);

	/** Inserts a row that is free, unless another transaction has just done so. */
	final void insert() {
		boolean unused = this.database.run("insert the lock '" + this.name + "'",
				(session, sql) -> session.insertFirst(sql.lease().insert(), this.name));
	}

	/**
	 * A row as a waiter sees it: {@code nextFree} if it can reserve the next turn, or has
	 * done so. The token changes with each grant to a writer.
	 */
	record State(boolean free, boolean inTurn, boolean nextFree, long token) {

		private static State read(ResultSet row) throws SQLException {
			return new State(row.getInt(1) == 1, row.getInt(2) == 1, row.getInt(3) == 1, row.getLong(4));
		}

	}

}
