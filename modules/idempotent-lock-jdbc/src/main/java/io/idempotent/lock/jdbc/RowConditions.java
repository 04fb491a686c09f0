package io.idempotent.lock.jdbc;

import io.idempotent.jdbc.Dialect;

/**
 * Conditions and assignments in the row of a lock, in one SQL dialect.
 *
 * @param now the current time
 * @param later the current time plus a number of microseconds, with one parameter
 */
record RowConditions(String now, String later) {

	static RowConditions of(Dialect dialect) {
		return new RowConditions(dialect.now(), dialect.later());
	}

	/**
	 * The turn of a node has not ended yet; unknown if there never was a turn.
	 */
	String inTurn() {
		return "turn_until > " + this.now;
	}

	String noneReserved() {
		return "waiter is null or waits_until <= " + this.now;
	}

	/**
	 * There is no writer, and it is not the turn of another waiter.
	 * @return the condition, with the waiter as its parameter
	 */
	String freeForReaders() {
		return "expires_at <= " + this.now + " and (waiter = ? or " + noneReserved() + " or " + inTurn() + ")";
	}

	/**
	 * There is neither a writer nor a reader, and it is not the turn of another waiter.
	 * @return the condition, with the waiter as its parameter
	 */
	String freeForWriters() {
		return "(readers_until is null or readers_until <= " + this.now + ") and " + freeForReaders();
	}

	/**
	 * Starts the turn of a waiter that has reserved it. MySQL assigns from left to right,
	 * so the waiter is removed last.
	 * @return the assignments, with the waiter, the length of the turn and the waiter as
	 * parameters
	 */
	String beginTurn() {
		return "turn_until = case when waiter = ? then " + this.later
				+ " else turn_until end, waiter = case when waiter = ? then null else waiter end";
	}

	/**
	 * Reads a row as a waiter sees it.
	 * @param table the table
	 * @param free the condition that the row is free for the waiter
	 * @return the query, with the waiter, the waiter and the lock as parameters
	 */
	String look(String table, String free) {
		return "select case when " + free + " then 1 else 0 end, case when " + inTurn()
				+ " then 1 else 0 end, case when waiter = ? or " + noneReserved() + " then 1 else 0 end, token from "
				+ table + " where name = ?";
	}

}
