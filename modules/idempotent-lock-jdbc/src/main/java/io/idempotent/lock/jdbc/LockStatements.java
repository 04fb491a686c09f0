package io.idempotent.lock.jdbc;

import io.idempotent.jdbc.Dialect;

/**
 * The statements in one SQL dialect. The table of leases has one row for each name, with
 * its last owner and token, the end of its lease, the waiter that has reserved the next
 * turn, and the end of the current turn. The table of readers has one row for each
 * reader, with the end of its lease; the latest of these is also in the row of the lock,
 * {@code readers_until}, so that a writer need not read the readers.
 */
record LockStatements(Lease lease, Readers readers) {

	static LockStatements of(String leases, String readers, Dialect dialect) {
		Conditions row = new Conditions(dialect.now(), dialect.later());
		return new LockStatements(Lease.of(leases, row, dialect), Readers.of(leases, readers, row, dialect));
	}

	record Lease(String take, String handOff, String look, String insert, String renew, String release,
			String claimTurn, String leaveTurn) {

		private static final String UPDATE_OWNED = "update %1$s set %2$s where name = ? and owner = ? and expires_at > %3$s";

		private static Lease of(String table, Conditions row, Dialect dialect) {
			String now = row.now();
			String until = "expires_at = " + row.later();
			String granted = "token = " + dialect.returned(dialect.nextToken()) + ", owner = ?, " + until;
			return new Lease(
					"update " + table + " set " + granted + ", " + row.beginTurn() + " where name = ? and "
							+ row.freeForWriters(),
					UPDATE_OWNED.formatted(table, granted, now) + " and (" + row.noneReserved() + " or " + row.inTurn()
							+ ")",
					row.look(table, row.freeForWriters()),
					"insert into " + table + " (name, token, expires_at) values (?, 0, " + now + ")",
					UPDATE_OWNED.formatted(table, until, now),
					UPDATE_OWNED.formatted(table, "owner = null, " + until, now),
					"update " + table + " set waiter = ?, waits_until = " + row.later()
							+ " where name = ? and (waiter = ? or " + row.noneReserved() + ")",
					"update " + table + " set waiter = null where name = ? and waiter = ?");
		}

	}

	record Readers(String enter, String insert, String look, String extend, String renew, String lock, String delete,
			String replace, String shorten) {

		private static Readers of(String leases, String readers, Conditions row, Dialect dialect) {
			String update = "update " + leases + " set ";
			// With useAffectedRows, MySQL counts no row that stays as it is.
			String kept = "readers_until" + ((dialect == Dialect.MYSQL) ? " + interval 1 microsecond" : "");
			String extended = "readers_until = case when readers_until >= " + row.later() + " then " + kept + " else "
					+ row.later() + " end";
			String valid = "name = ? and owner = ? and expires_at > " + row.now();
			return new Readers(
					update + extended + ", " + row.beginTurn() + " where name = ? and " + row.freeForReaders(),
					"insert into " + readers + " (name, owner, expires_at) values (?, ?, " + row.later() + ")",
					row.look(leases, row.freeForReaders()),
					update + extended + " where name = ? and expires_at <= " + row.now(),
					"update " + readers + " set expires_at = " + row.later() + " where " + valid,
					lock(leases, readers, valid, row.now(), dialect),
					"delete from " + readers + " where name = ? and (owner = ? or expires_at <= " + row.now() + ")",
					"update " + readers + " set owner = ?, expires_at = " + row.later() + " where " + valid,
					update + "readers_until = (select max(expires_at) from " + readers
							+ " where name = ?) where name = ?");
		}

		/**
		 * In MySQL and MariaDB, a subquery would read an older snapshot before the row is
		 * locked, which MariaDB refuses, or at SERIALIZABLE lock the reader first.
		 */
		private static String lock(String leases, String readers, String valid, String now, Dialect dialect) {
			return (dialect == Dialect.MYSQL)
					? "select case when reader.owner is null then 0 else 1 end from " + leases + " lease left join "
							+ readers + " reader on reader.name = ? and reader.owner = ? and reader.expires_at > " + now
							+ " where lease.name = ? for update"
					: "select case when exists (select 1 from " + readers + " where " + valid
							+ ") then 1 else 0 end from " + leases + " where name = ? for update";
		}

	}

	/** Conditions and assignments; later is now plus a parameter in microseconds. */
	private record Conditions(String now, String later) {

		/** Unknown, not false, if there never was a turn. */
		String inTurn() {
			return "turn_until > " + this.now;
		}

		String noneReserved() {
			return "waiter is null or waits_until <= " + this.now;
		}

		/** There is no writer, and no waiter but that of the parameter has the turn. */
		String freeForReaders() {
			return "expires_at <= " + this.now + " and (waiter = ? or " + noneReserved() + " or " + inTurn() + ")";
		}

		/** As for readers; and there is no reader. */
		String freeForWriters() {
			return "(readers_until is null or readers_until <= " + this.now + ") and " + freeForReaders();
		}

		/**
		 * Starts the turn of a waiter that has reserved it: parameters are the waiter,
		 * the length of the turn and the waiter. MySQL assigns from left to right, so the
		 * waiter is removed last.
		 */
		String beginTurn() {
			return "turn_until = case when waiter = ? then " + this.later
					+ " else turn_until end, waiter = case when waiter = ? then null else waiter end";
		}

		/** The parameters are the waiter, the waiter and the lock. */
		String look(String table, String free) {
			return "select case when " + free + " then 1 else 0 end, case when " + inTurn()
					+ " then 1 else 0 end, case when waiter = ? or " + noneReserved()
					+ " then 1 else 0 end, token from " + table + " where name = ?";
		}

	}

}
