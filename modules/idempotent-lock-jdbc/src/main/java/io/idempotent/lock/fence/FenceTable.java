package io.idempotent.lock.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

import javax.sql.DataSource;

import io.idempotent.jdbc.Conflict;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;

/**
 * The highest token of each fence. Statements run on the connection of the caller's
 * transaction and leave the row locked. None selects a row that may be missing: in MySQL
 * and MariaDB that locks the gap, and two such transactions deadlock when they insert.
 */
final class FenceTable {

	private final JdbcTemplate jdbc;

	private final String table;

	private final String insert;

	private volatile @Nullable Dialect dialect;

	FenceTable(DataSource dataSource, String table) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.setExceptionTranslator(new Conflict.Translator());
		this.table = TableName.require(table);
		this.insert = "insert into " + table + " (name, token) values (?, ?)";
	}

	void check() {
		this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> {
			new StatementSession(connection, Dialect.of(connection), 0).requireWritable(this.table, "token");
			return true;
		});
	}

	/** Returns {@code false} if the fence has a higher token. */
	boolean raise(String name, long token) {
		try {
			Dialect known = this.jdbc.execute((ConnectionCallback<Dialect>) (connection) -> dialect(connection, name));
			return switch (Objects.requireNonNull(known)) {
				case POSTGRESQL -> raiseInPostgres(name, token);
				case MYSQL -> raiseInMySql(name, token);
				case H2, ORACLE, SQL_SERVER -> update(name, token) || insert(known, name, token) || update(name, token);
			};
		}
		// SQL Server's driver gives a missing table a state of its own.
		catch (BadSqlGrammarException | UncategorizedSQLException ex) {
			throw new InvalidDataAccessResourceUsageException("The database did not raise the fence '" + name
					+ "': if its table is missing, create it with the schema-*.sql of " + getClass().getPackageName()
					+ ", or let idempotent.initialize-schema do so", ex);
		}
	}

	// In a transaction on another database, each statement is committed here.
	private Dialect dialect(Connection connection, String name) throws SQLException {
		if (connection.getAutoCommit()) {
			throw new IllegalStateException("The fence '" + name
					+ "' is raised in a transaction that is not on the guarded DataSource: begin it there");
		}
		Dialect known = this.dialect;
		if (known == null) {
			known = Dialect.of(connection);
			this.dialect = known;
		}
		return known;
	}

	private boolean raiseInPostgres(String name, long token) {
		return this.jdbc.update(
				"insert into " + this.table + " as fence (name, token) values (?, ?) on conflict (name)"
						+ " do update set token = excluded.token where fence.token <= excluded.token",
				name, token) == 1;
	}

	// The argument of last_insert_id is returned as a generated key.
	private boolean raiseInMySql(String name, long token) {
		GeneratedKeyHolder stored = new GeneratedKeyHolder();
		int rows = this.jdbc.update((connection) -> {
			PreparedStatement statement = connection.prepareStatement(
					this.insert + " on duplicate key update token = last_insert_id(greatest(token, ?))",
					Statement.RETURN_GENERATED_KEYS);
			statement.setString(1, name);
			statement.setLong(2, token);
			statement.setLong(3, token);
			return statement;
		}, stored);
		if (rows == 0) {
			// With useAffectedRows, drivers do not return the key.
			Long high = this.jdbc.queryForObject("select token from " + this.table + " where name = ? for update",
					Long.class, name);
			return high != null && high <= token;
		}
		// For a changed row, MySQL's driver counts two, and invents a second key.
		return stored.getKeyList()
			.stream()
			.limit(1)
			.flatMap((key) -> key.values().stream())
			.allMatch((high) -> ((Number) high).longValue() <= token);
	}

	/** Returns false if there is a fence, which may just have been inserted. */
	private boolean insert(Dialect dialect, String name, long token) {
		try {
			if (dialect == Dialect.SQL_SERVER) {
				// With xact_abort on, a duplicate would abort the transaction. With
				// holdlock, adjacent names would wait for each other.
				return this.jdbc.update("insert into " + this.table + " (name, token) select ?, ? where not exists"
						+ " (select 1 from " + this.table + " with (updlock) where name = ?)", name, token, name) == 1;
			}
			return this.jdbc.update(this.insert, name, token) == 1;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	private boolean update(String name, long token) {
		return this.jdbc.update("update " + this.table + " set token = ? where name = ? and token <= ?", token, name,
				token) == 1;
	}

}
