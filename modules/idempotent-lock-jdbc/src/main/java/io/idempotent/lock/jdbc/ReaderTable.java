package io.idempotent.lock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The table of readers: one row for each reader of a lock, with the end of its lease. The
 * row of the lock has the latest of these ends, {@code readers_until}, so that a writer
 * need not read this table. Each change is one transaction, which locks the row of the
 * lock first. So changes for one name are serialized.
 */
final class ReaderTable {

	private final ShortStatements database;

	private final String leases;

	private final String readers;

	private volatile @Nullable Statements statements;

	/**
	 * Creates the table.
	 * @param database runs statements
	 * @param leases the table of leases
	 */
	ReaderTable(ShortStatements database, String leases) {
		this.database = database;
		this.leases = TableName.require(leases);
		this.readers = leases + "_reader";
	}

	/**
	 * Adds a reader, unless there is a writer or another waiter has reserved the turn.
	 * @param name the lock
	 * @param reader the reader
	 * @param waiter the waiter, which may have reserved the turn
	 * @param lease the lease
	 * @return whether it was added
	 */
	boolean enter(String name, String reader, String waiter, Duration lease) {
		long micros = LeaseTable.microseconds(lease);
		return change("share the lock '" + name + "'", (session) -> {
			Statements sql = statements(session);
			return session.update(sql.enter(), micros, micros, waiter, LeaseTable.microseconds(LeaseTable.TURN), waiter,
					name, waiter) == 1 && session.update(sql.insert(), name, reader, micros) == 1;
		});
	}

	/**
	 * Reads the state of a row without locking it.
	 * @param name the lock
	 * @param waiter the waiter, which may have reserved the turn
	 * @return the state for that waiter as a reader, or nothing if there is no row
	 */
	Optional<RowState> look(String name, String waiter) {
		return this.database.run("read the lock '" + name + "'",
				(session) -> session.first(statements(session).look(), RowState::read, waiter, waiter, name));
	}

	/**
	 * Renews the lease of a reader.
	 * @param name the lock
	 * @param reader the reader
	 * @param lease the lease
	 * @return whether there still was such a reader
	 */
	boolean renew(String name, String reader, Duration lease) {
		long micros = LeaseTable.microseconds(lease);
		return change("renew the shared lock '" + name + "'", (session) -> {
			Statements sql = statements(session);
			return session.update(sql.extend(), micros, micros, name) == 1
					&& session.update(sql.renew(), micros, name, reader) == 1;
		});
	}

	/**
	 * Removes a reader, and those whose leases have ended.
	 * @param name the lock
	 * @param reader the reader
	 * @return whether there still was such a reader
	 */
	boolean leave(String name, String reader) {
		return change("release the shared lock '" + name + "'", (session) -> {
			Statements sql = statements(session);
			boolean held = session.query(sql.lock(), name, reader, name).orElse(0) == 1;
			return held && session.update(sql.delete(), name, reader) > 0
					&& session.update(sql.shorten(), name, name) == 1;
		});
	}

	/**
	 * Removes a reader, and keeps the lock shared for a while.
	 * @param name the lock
	 * @param reader the reader
	 * @param keeper takes the place of the reader
	 * @param time how long it does so
	 * @return whether there still was such a reader
	 */
	boolean leave(String name, String reader, String keeper, Duration time) {
		long micros = LeaseTable.microseconds(time);
		return change("release the shared lock '" + name + "'", (session) -> {
			Statements sql = statements(session);
			boolean held = session.query(sql.lock(), name, reader, name).orElse(0) == 1;
			return held && session.update(sql.replace(), keeper, micros, name, reader) == 1
					&& session.update(sql.shorten(), name, name) == 1;
		});
	}

	/**
	 * Makes a writer the first reader.
	 * @param name the lock
	 * @param owner the writer
	 * @param reader the reader
	 * @param lease the lease of the reader
	 * @return whether the writer still had the lock
	 */
	boolean downgrade(String name, String owner, String reader, Duration lease) {
		long micros = LeaseTable.microseconds(lease);
		return change("downgrade the lock '" + name + "'", (session) -> {
			Statements sql = statements(session);
			return session.update(sql.downgrade(), micros, name, owner) == 1
					&& session.update(sql.insert(), name, reader, micros) == 1;
		});
	}

	private boolean change(String what, ShortTransaction.Work work) {
		return this.database.run(what, (session) -> ShortTransaction.run(session, work));
	}

	private Statements statements(StatementSession session) throws SQLException {
		Statements known = this.statements;
		if (known == null) {
			known = Statements.of(this.leases, this.readers, session.dialect());
			this.statements = known;
		}
		return known;
	}

	private record Statements(String enter, String insert, String look, String extend, String renew, String lock,
			String delete, String replace, String shorten, String downgrade) {

		static Statements of(String leases, String readers, Dialect dialect) {
			RowConditions row = RowConditions.of(dialect);
			String update = "update " + leases + " set ";
			String extended = "readers_until = case when readers_until > " + row.later() + " then readers_until else "
					+ row.later() + " end";
			String valid = "name = ? and owner = ? and expires_at > " + row.now();
			return new Statements(
					update + extended + ", " + row.beginTurn() + " where name = ? and " + row.freeForReaders(),
					"insert into " + readers + " (name, owner, expires_at) values (?, ?, " + row.later() + ")",
					row.look(leases, row.freeForReaders()),
					update + extended + " where name = ? and expires_at <= " + row.now(),
					"update " + readers + " set expires_at = " + row.later() + " where " + valid,
					"select case when exists (select 1 from " + readers + " where " + valid
							+ ") then 1 else 0 end from " + leases + " where name = ? for update",
					"delete from " + readers + " where name = ? and (owner = ? or expires_at <= " + row.now() + ")",
					"update " + readers + " set owner = ?, expires_at = " + row.later() + " where " + valid,
					update + "readers_until = (select max(expires_at) from " + readers
							+ " where name = ?) where name = ?",
					update + "owner = null, expires_at = " + row.now() + ", readers_until = " + row.later() + " where "
							+ valid);
		}

	}

}
