package io.idempotent.lock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a lock for operators, and takes the lock away from its holders. */
record JdbcLockInspector(LockDatabase locks) {

	LockState inspect(String name) {
		return this.locks.run("inspect the lock '" + name + "'", (session, unused) -> {
			Dialect dialect = session.dialect();
			String sql = "select owner, token, " + dialect.microsecondsUntil("expires_at") + ", "
					+ dialect.microsecondsUntil("readers_until") + " from " + this.locks.leases() + " where name = ?";
			Row row = session.first(sql, Row::read, name).orElse(null);
			return (row != null) ? state(session, name, row) : LockState.FREE;
		});
	}

	private LockState state(StatementSession session, String name, Row row) throws SQLException {
		List<LockHolder> holders = new ArrayList<>();
		if (row.micros() > 0) {
			holders.add(holder(row.owner(), LockMode.WRITE, row.token(), row.micros()));
		}
		else if (row.readersMicros() > 0) {
			Dialect dialect = session.dialect();
			holders.addAll(session.all(
					"select owner, " + dialect.microsecondsUntil("expires_at") + " from " + this.locks.readers()
							+ " where name = ? and expires_at > " + dialect.now() + " order by expires_at limit "
							+ LockState.MAX_HOLDERS,
					(reader) -> holder(reader.getString(1), LockMode.READ, null, reader.getLong(2)), name));
		}
		return new LockState(holders, null, (row.token() > 0) ? row.token() : null);
	}

	private LockHolder holder(@Nullable String owner, LockMode mode, @Nullable Long token, long micros) {
		return new LockHolder(owner, OwnerIds.node(owner), this.locks.ids().isOfThisNode(owner), mode, token,
				Duration.of(micros, ChronoUnit.MICROS));
	}

	boolean forceRelease(String name) {
		return this.locks.change("release the lock '" + name + "'", (session, unused) -> {
			String now = session.dialect().now();
			int freed = session.update("update " + this.locks.leases() + " set owner = null, expires_at = " + now
					+ ", readers_until = null where name = ? and (expires_at > " + now + " or readers_until > " + now
					+ ")", name);
			session.update("delete from " + this.locks.readers() + " where name = ?", name);
			return freed == 1;
		});
	}

	/** The last owner is null if it has released the lock; times are in microseconds. */
	private record Row(@Nullable String owner, long token, long micros, long readersMicros) {

		static Row read(ResultSet row) throws SQLException {
			return new Row(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4));
		}

	}

}
