package io.idempotent.jdbc;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.function.ThrowingFunction;
import org.jspecify.annotations.Nullable;

/**
 * A connection with the SQL dialect of its database and a timeout for its statements.
 *
 * @param timeout how many seconds a statement may take; 0 for no limit
 */
public record StatementSession(Connection connection, Dialect dialect, int timeout) {

	private static final String CONSTRAINT_VIOLATION = "23";

	private static final String INSERT = "insert ";

	public int update(String sql, @Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			return bind(statement, arguments).executeUpdate();
		}
	}

	/**
	 * Updates once for each list of arguments, in one round trip if the driver can.
	 * Returns the numbers of rows, as {@link PreparedStatement#executeBatch()} does.
	 */
	public int[] updateAll(String sql, List<@Nullable Object[]> arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			for (int i = 0; i < arguments.size(); i++) {
				bind(statement, arguments.get(i)).addBatch();
			}
			return statement.executeBatch();
		}
		catch (BatchUpdateException ex) {
			// The driver of PostgreSQL writes the arguments into the message.
			throw (ex.getNextException() != null) ? ex.getNextException() : ex;
		}
	}

	/**
	 * Inserts the first row of a key, which several nodes may try at once. Returns false
	 * if there is one. The missing row is not locked first: two transactions with gap
	 * locks of MySQL or MariaDB would deadlock.
	 */
	public boolean insertFirst(String sql, @Nullable Object... arguments) throws SQLException {
		try {
			return update(quiet(sql), arguments) == 1;
		}
		catch (SQLException ex) {
			return requireConstraintViolation(ex, false);
		}
	}

	/**
	 * Inserts rows of different keys with one batched statement. Returns the numbers of
	 * rows; none if a key exists and fails the statement, in which case any of the others
	 * may have been inserted.
	 */
	public int[] insertAllFirst(String sql, List<@Nullable Object[]> arguments) throws SQLException {
		try {
			return updateAll(quiet(sql), arguments);
		}
		catch (SQLException ex) {
			return requireConstraintViolation(ex, new int[0]);
		}
	}

	/**
	 * In MySQL and MariaDB, a key that exists is then no error, which the driver of
	 * MariaDB would log. Nothing else is ignored, since all values fit their columns.
	 */
	private String quiet(String sql) {
		return (this.dialect == Dialect.MYSQL && sql.startsWith(INSERT))
				? "insert ignore " + sql.substring(INSERT.length()) : sql;
	}

	private static <T> T requireConstraintViolation(SQLException ex, T result) throws SQLException {
		if (String.valueOf(ex.getSQLState()).startsWith(CONSTRAINT_VIOLATION)) {
			return result;
		}
		throw ex;
	}

	/** Updates one row and returns a value that it has written; empty without a row. */
	public OptionalLong updateReturning(String column, String sql, @Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql, new String[] { column })) {
			if (bind(statement, arguments).executeUpdate() == 0) {
				return OptionalLong.empty();
			}
			try (ResultSet keys = statement.getGeneratedKeys()) {
				keys.next();
				return OptionalLong.of(keys.getLong(1));
			}
		}
	}

	/** Fails unless rows can be inserted and updated; writes none. */
	public void requireWritable(String table, String column) throws SQLException {
		update("insert into " + table + " select * from " + table + " where 1 = 0");
		update("update " + table + " set " + column + " = " + column + " where 1 = 0");
	}

	public OptionalLong query(String sql, @Nullable Object... arguments) throws SQLException {
		return first(sql, (row) -> OptionalLong.of(row.getLong(1)), arguments).orElse(OptionalLong.empty());
	}

	public <T> Optional<T> first(String sql, ThrowingFunction<ResultSet, T, SQLException> reader,
			@Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql);
				ResultSet rows = bind(statement, arguments).executeQuery()) {
			return rows.next() ? Optional.of(reader.apply(rows)) : Optional.empty();
		}
	}

	public <T> List<T> all(String sql, ThrowingFunction<ResultSet, T, SQLException> reader,
			@Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql);
				ResultSet rows = bind(statement, arguments).executeQuery()) {
			List<T> all = new ArrayList<>();
			while (rows.next()) {
				all.add(reader.apply(rows));
			}
			return all;
		}
	}

	private PreparedStatement bind(PreparedStatement statement, @Nullable Object... arguments) throws SQLException {
		if (this.timeout > 0 && this.dialect.hasStatementTimeout()) {
			statement.setQueryTimeout(this.timeout);
		}
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] == null && this.dialect == Dialect.SQL_SERVER) {
				// Its driver treats an untyped null as text, but ours are all bytes.
				statement.setNull(i + 1, Types.VARBINARY);
			}
			else {
				statement.setObject(i + 1, arguments[i]);
			}
		}
		return statement;
	}

}
