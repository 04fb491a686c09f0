package io.idempotent.lock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.FirstRow;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases: one row for each name that was ever locked, with its last owner
 * and token, when it is free, and whose turn is next. Each method is one statement.
 */
final class LeaseTable {

	/** Longer than any lease, and within the calendars of all databases. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final String UPDATE_OWNED = "update %1$s set %2$s where name = ? and owner = ? and expires_at > %3$s";

	private final ShortStatements database;

	private final String table;

	private volatile @Nullable Statements statements;

	LeaseTable(ShortStatements database, String table) {
		this.database = database;
		this.table = TableName.require(table);
	}

	/**
	 * Takes a row that is free, unless it is somebody else's turn.
	 * @param name the lock
	 * @param owner who is to have it
	 * @param waiter whose turn it may be
	 * @param lease for how long
	 * @return the token, or nothing if the row is not to be had or missing
	 */
	OptionalLong take(String name, String owner, String waiter, Duration lease) {
		return this.database.run("take the lock '" + name + "'", (session) -> session.updateReturning("token",
				statements(session).take(), owner, microseconds(lease), waiter, name, waiter));
	}

	/**
	 * Takes a row from its owner.
	 * @param name the lock
	 * @param owner who has it
	 * @param next who is to have it
	 * @param lease for how long
	 * @return the token, or nothing if the owner no longer had it
	 */
	OptionalLong handOff(String name, String owner, String next, Duration lease) {
		return this.database.run("pass on the lock '" + name + "'", (session) -> session.updateReturning("token",
				statements(session).handOff(), next, microseconds(lease), name, owner));
	}

	/**
	 * Looks at a row and locks nothing.
	 * @param name the lock
	 * @param waiter who looks
	 * @return what it is like for that one
	 */
	State look(String name, String waiter) {
		OptionalLong free = this.database.run("look at the lock '" + name + "'",
				(session) -> session.query(statements(session).look(), waiter, name));
		if (free.isEmpty()) {
			return State.MISSING;
		}
		return (free.getAsLong() == 1) ? State.FREE : State.TAKEN;
	}

	/**
	 * Asks for the next turn, unless somebody else has it: for a while nobody else takes
	 * the row once it is free.
	 * @param name the lock
	 * @param waiter who asks
	 * @param time for how long
	 * @return whether it is the next to take the row
	 */
	boolean claimTurn(String name, String waiter, Duration time) {
		return this.database.run("wait in turn for the lock '" + name + "'", (session) -> session
			.update(statements(session).claimTurn(), waiter, microseconds(time), name, waiter) == 1);
	}

	/**
	 * Leaves the next turn to others.
	 * @param name the lock
	 * @param waiter whose turn it was
	 */
	void leaveTurn(String name, String waiter) {
		this.database.run("no longer wait for the lock '" + name + "'",
				(session) -> session.update(statements(session).leaveTurn(), name, waiter));
	}

	/**
	 * Inserts a row that is free, unless somebody else has just done so.
	 * @param name the lock
	 */
	void insert(String name) {
		this.database.run("insert the lock '" + name + "'",
				(session) -> FirstRow.insert(session, statements(session).insert(), name));
	}

	/**
	 * Lets a lease start again.
	 * @param name the lock
	 * @param owner who has it
	 * @param lease for how long
	 * @return whether the owner still had it
	 */
	boolean renew(String name, String owner, Duration lease) {
		return this.database.run("renew the lock '" + name + "'",
				(session) -> session.update(statements(session).renew(), microseconds(lease), name, owner) == 1);
	}

	/**
	 * Frees a row.
	 * @param name the lock
	 * @param owner who has it
	 * @param keepFor how long it stays taken all the same
	 * @return whether the owner still had it
	 */
	boolean release(String name, String owner, Duration keepFor) {
		return this.database.run("release the lock '" + name + "'",
				(session) -> session.update(statements(session).release(), microseconds(keepFor), name, owner) == 1);
	}

	private static long microseconds(Duration duration) {
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

	/**
	 * What a row is like.
	 */
	enum State {

		/** It is there, and nobody has it. */
		FREE,

		/** Somebody has it, or has the next turn. */
		TAKEN,

		/** Nobody ever had it, or it was deleted. */
		MISSING

	}

	private record Statements(String take, String handOff, String look, String insert, String renew, String release,
			String claimTurn, String leaveTurn) {

		static Statements of(String table, Dialect dialect) {
			String now = dialect.now();
			String until = "expires_at = " + dialect.later();
			String granted = "token = " + dialect.returned(dialect.nextToken()) + ", owner = ?, " + until;
			String mayTurn = "(waiter is null or waiter = ? or waits_until <= " + now + ")";
			return new Statements("update " + table + " set " + granted
					+ ", waiter = case when waiter = ? then null else waiter end where name = ? and expires_at <= "
					+ now + " and " + mayTurn, UPDATE_OWNED.formatted(table, granted, now),
					"select case when expires_at <= " + now + " and " + mayTurn + " then 1 else 0 end from " + table
							+ " where name = ?",
					"insert into " + table + " (name, token, expires_at) values (?, 0, " + now + ")",
					UPDATE_OWNED.formatted(table, until, now),
					UPDATE_OWNED.formatted(table, "owner = null, " + until, now), "update " + table
							+ " set waiter = ?, waits_until = " + dialect.later() + " where name = ? and " + mayTurn,
					"update " + table + " set waiter = null where name = ? and waiter = ?");
		}

	}

}
