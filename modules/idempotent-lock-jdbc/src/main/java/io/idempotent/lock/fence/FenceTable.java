package io.idempotent.lock.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import io.idempotent.jdbc.TableName;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;

/**
 * The table of fences: the highest token of each. Its statements run on the connection of
 * the caller's transaction, and leave the row locked. None of them looks for a row first
 * that may be missing: in MySQL and MariaDB that locks the gap, and two who hold one wait
 * for each other.
 */
final class FenceTable {

	private final JdbcTemplate jdbc;

	private final String table;

	private final String insert;

	private volatile @Nullable Dialect dialect;

	FenceTable(DataSource dataSource, String table) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.table = TableName.require(table);
		this.insert = "insert into " + table + " (name, token) values (?, ?)";
	}

	/**
	 * Raises a fence, or leaves it where it stands higher.
	 * @param name which
	 * @param token how high
	 * @return whether it stands at the token now
	 */
	boolean raise(String name, long token) {
		try {
			Dialect known = this.jdbc.execute((ConnectionCallback<Dialect>) (connection) -> in(connection, name));
			return known.raise(name, token);
		}
		catch (BadSqlGrammarException ex) {
			throw new InvalidDataAccessResourceUsageException("The database did not raise the fence '" + name
					+ "': if its table is missing, create it with the schema-*.sql of " + getClass().getPackageName()
					+ ", or let idempotent.guard.initialize-schema do so", ex);
		}
	}

	// Beside a transaction on another database, each statement here is one of its own.
	private Dialect in(Connection connection, String name) throws SQLException {
		if (connection.getAutoCommit()) {
			throw new IllegalStateException("The fence '" + name
					+ "' is raised in a transaction that is not on the guarded DataSource: begin it there");
		}
		Dialect known = this.dialect;
		if (known == null) {
			known = dialect(connection);
			this.dialect = known;
		}
		return known;
	}

	private Dialect dialect(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product) {
			case "PostgreSQL" -> this::raiseInPostgres;
			case "MySQL", "MariaDB" -> this::raiseInMySql;
			case "H2" -> this::raiseInH2;
			default -> throw new IllegalStateException("The guarded DataSource leads to '" + product
					+ "', but fences are kept in PostgreSQL, MySQL, MariaDB or H2 only");
		};
	}

	private boolean raiseInPostgres(String name, long token) {
		return this.jdbc.update(
				"insert into " + this.table + " as fence (name, token) values (?, ?) on conflict (name)"
						+ " do update set token = excluded.token where fence.token <= excluded.token",
				name, token) == 1;
	}

	// The argument of last_insert_id comes back as a generated key.
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
			// Only with useAffectedRows, where drivers keep the key to themselves.
			Long high = this.jdbc.queryForObject("select token from " + this.table + " where name = ? for update",
					Long.class, name);
			return high != null && high <= token;
		}
		Number high = stored.getKey();
		return high == null || high.longValue() <= token;
	}

	private boolean raiseInH2(String name, long token) {
		if (update(name, token)) {
			return true;
		}
		try {
			return this.jdbc.update(this.insert, name, token) == 1;
		}
		catch (DuplicateKeyException ex) {
			// It stands higher, or was inserted by somebody else just now.
			return update(name, token);
		}
	}

	private boolean update(String name, long token) {
		return this.jdbc.update("update " + this.table + " set token = ? where name = ? and token <= ?", token, name,
				token) == 1;
	}

	/**
	 * How a database raises a fence.
	 */
	private interface Dialect {

		boolean raise(String name, long token);

	}

}
