package io.idempotent.lock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.FirstRow;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases: one row for each name that was ever locked, with its last owner
 * and token, the end of its lease, the latest end of the leases of readers, the waiter
 * that has reserved the next turn, and the end of the current turn. Each method is one
 * statement.
 */
final class LeaseTable {

	/** Longer than any lease, and within the calendars of all databases. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	/** The length of a turn if the next one is reserved. */
	static final Duration TURN = Duration.ofMillis(80);

	private static final String UPDATE_OWNED = "update %1$s set %2$s where name = ? and owner = ? and expires_at > %3$s";

	private final ShortStatements database;

	private final String table;

	private volatile @Nullable Statements statements;

	LeaseTable(ShortStatements database, String table) {
		this.database = database;
		this.table = TableName.require(table);
	}

	/**
	 * Takes a row that is free, unless the turn is over and another waiter has reserved
	 * the next one. For a waiter that has reserved it, the turn of its node starts.
	 * @param name the lock
	 * @param owner the new owner
	 * @param waiter the waiter, which may have reserved the turn
	 * @param lease the lease
	 * @return the token, or nothing if the row is not free or missing
	 */
	OptionalLong take(String name, String owner, String waiter, Duration lease) {
		return this.database.run("take the lock '" + name + "'",
				(session) -> session.updateReturning("token", statements(session).take(), owner, microseconds(lease),
						waiter, microseconds(TURN), waiter, name, waiter));
	}

	/**
	 * Hands a row over from its owner to another one, unless the turn is over and a
	 * waiter has reserved the next one.
	 * @param name the lock
	 * @param owner the current owner
	 * @param next the next owner
	 * @param lease the lease
	 * @return the token, or nothing if the owner no longer had it or the turn is over
	 */
	OptionalLong handOff(String name, String owner, String next, Duration lease) {
		return this.database.run("hand over the lock '" + name + "'", (session) -> session.updateReturning("token",
				statements(session).handOff(), next, microseconds(lease), name, owner));
	}

	/**
	 * Reads the state of a row without locking it.
	 * @param name the lock
	 * @param waiter the waiter, which may have reserved the turn
	 * @return the state for that waiter, or nothing if there is no row: the name was
	 * never locked, or the row was deleted
	 */
	Optional<RowState> look(String name, String waiter) {
		return this.database.run("read the lock '" + name + "'",
				(session) -> session.first(statements(session).look(), RowState::read, waiter, waiter, name));
	}

	/**
	 * Reserves the next turn, unless another waiter has reserved it: for a while nobody
	 * else can take the row when the current turn is over.
	 * @param name the lock
	 * @param waiter the waiter
	 * @param time how long the reservation is valid
	 * @return whether the waiter has the next turn
	 */
	boolean claimTurn(String name, String waiter, Duration time) {
		return this.database.run("reserve the next turn for the lock '" + name + "'", (session) -> session
			.update(statements(session).claimTurn(), waiter, microseconds(time), name, waiter) == 1);
	}

	/**
	 * Releases the next turn.
	 * @param name the lock
	 * @param waiter the waiter that had reserved it
	 */
	void leaveTurn(String name, String waiter) {
		this.database.run("give up the next turn for the lock '" + name + "'",
				(session) -> session.update(statements(session).leaveTurn(), name, waiter));
	}

	/**
	 * Inserts a row that is free, unless another transaction has just done so.
	 * @param name the lock
	 */
	void insert(String name) {
		this.database.run("insert the lock '" + name + "'",
				(session) -> FirstRow.insert(session, statements(session).insert(), name));
	}

	/**
	 * Renews a lease.
	 * @param name the lock
	 * @param owner the owner
	 * @param lease the lease
	 * @return whether the owner still had the row
	 */
	boolean renew(String name, String owner, Duration lease) {
		return this.database.run("renew the lock '" + name + "'",
				(session) -> session.update(statements(session).renew(), microseconds(lease), name, owner) == 1);
	}

	/**
	 * Frees a row.
	 * @param name the lock
	 * @param owner the owner
	 * @param stayLocked how long the row stays taken from now
	 * @return whether the owner still had the row
	 */
	boolean release(String name, String owner, Duration stayLocked) {
		return this.database.run("release the lock '" + name + "'",
				(session) -> session.update(statements(session).release(), microseconds(stayLocked), name, owner) == 1);
	}

	static long microseconds(Duration duration) {
		return TimeUnit.MICROSECONDS.convert((duration.compareTo(LONGEST) < 0) ? duration : LONGEST);
	}

	private Statements statements(StatementSession session) throws SQLException {
		Statements known = this.statements;
		if (known == null) {
			known = Statements.of(this.table, session.dialect());
			this.statements = known;
		}
		return known;
	}

	private record Statements(String take, String handOff, String look, String insert, String renew, String release,
			String claimTurn, String leaveTurn) {

		static Statements of(String table, Dialect dialect) {
			RowConditions row = RowConditions.of(dialect);
			String now = row.now();
			String until = "expires_at = " + row.later();
			String granted = "token = " + dialect.returned(dialect.nextToken()) + ", owner = ?, " + until;
			return new Statements(
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

}
