package io.idempotent.lock.fence;

import java.sql.SQLException;
import java.util.OptionalLong;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.jdbc.TransactionStatements;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The highest token of each fence. Statements run on the connection of the caller's
 * transaction and leave the row locked. None selects a row that may be missing: in MySQL
 * and MariaDB that locks the gap, and two such transactions deadlock when they insert.
 */
final class FenceTable {

	private final DataSource dataSource;

	private final TransactionStatements transaction;

	private final String table;

	private final String insert;

	FenceTable(DataSource dataSource, String table) {
		this.dataSource = dataSource;
		this.transaction = new TransactionStatements(dataSource, FenceTable.class);
		this.table = TableName.require(table);
		this.insert = "insert into " + table + " (name, token) values (?, ?)";
	}

	void check() {
		new JdbcTemplate(this.dataSource).execute((ConnectionCallback<Boolean>) (connection) -> {
			new StatementSession(connection, Dialect.of(connection), 0).requireWritable(this.table, "token");
			return true;
		});
	}

	/** Returns {@code false} if the fence has a higher token. */
	boolean raise(String name, long token) {
		return this.transaction.run("raise the fence '" + name + "'", (session) -> switch (session.dialect()) {
			case POSTGRESQL -> raiseInPostgres(session, name, token);
			case MYSQL -> raiseInMySql(session, name, token);
			case H2, ORACLE, SQL_SERVER ->
				update(session, name, token) || insert(session, name, token) || update(session, name, token);
		});
	}

	private boolean raiseInPostgres(StatementSession session, String name, long token) throws SQLException {
		return session.update(
				"insert into " + this.table + " as fence (name, token) values (?, ?) on conflict (name)"
						+ " do update set token = excluded.token where fence.token <= excluded.token",
				name, token) == 1;
	}

	private boolean raiseInMySql(StatementSession session, String name, long token) throws SQLException {
		// The argument of last_insert_id is returned as a generated key.
		OptionalLong stored = session
			.updateReturning("token",
					"insert into " + this.table + " (name, token) values (?, last_insert_id(?))"
							+ " on duplicate key update token = last_insert_id(greatest(token, ?))",
					name, token, token);
		// With useAffectedRows, drivers do not return the key of a row that is unchanged.
		long high = stored.isPresent() ? stored.getAsLong()
				: session.query("select token from " + this.table + " where name = ? for update", name)
					.orElse(Long.MAX_VALUE);
		return high <= token;
	}

	/** Returns false if there is a fence, which may just have been inserted. */
	private boolean insert(StatementSession session, String name, long token) throws SQLException {
		if (session.dialect() == Dialect.SQL_SERVER) {
			// With xact_abort on, a duplicate would abort the transaction. With holdlock,
			// adjacent names would wait for each other.
			return session.insertFirst("insert into " + this.table + " (name, token) select ?, ? where not exists"
					+ " (select 1 from " + this.table + " with (updlock) where name = ?)", name, token, name);
		}
		return session.insertFirst(this.insert, name, token);
	}

	private boolean update(StatementSession session, String name, long token) throws SQLException {
		return session.update("update " + this.table + " set token = ? where name = ? and token <= ?", token, name,
				token) == 1;
	}

}
