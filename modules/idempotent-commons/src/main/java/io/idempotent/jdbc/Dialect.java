package io.idempotent.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * How databases say what the statements of this package need. Times and tokens are always
 * the database's: no JVM's clock and no session's time zone has a part in them.
 */
public enum Dialect {

	/** PostgreSQL 9.5 or newer. */
	POSTGRESQL("clock_timestamp()", "clock_timestamp() + ? * interval '1 microsecond'",
			"cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)", "%s"),

	/**
	 * MySQL 8.0 and MariaDB 10.6 or newer. They return no changed columns, but the
	 * argument of <code>last_insert_id</code> comes back with the count of rows.
	 */
	MYSQL("utc_timestamp(6)", "timestampadd(microsecond, ?, utc_timestamp(6))",
			"timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))", "last_insert_id(%s)"),

	/** H2 2.2 or newer, whose clock stands still within a transaction. */
	H2("current_timestamp", "dateadd(microsecond, ?, current_timestamp)",
			"datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', current_timestamp)", "%s");

	private final String now;

	private final String microseconds;

	private final String later;

	private final String nextToken;

	private final String returned;

	Dialect(String now, String later, String microseconds, String returned) {
		this.now = now;
		this.later = later;
		this.microseconds = microseconds;
		this.nextToken = "greatest(token + 1, " + microseconds + ")";
		this.returned = returned;
	}

	/**
	 * Finds out what a connection leads to.
	 * @param connection the connection
	 * @return the dialect
	 * @throws IllegalStateException if it is none of ours
	 */
	public static Dialect of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product) {
			case "PostgreSQL" -> POSTGRESQL;
			case "MySQL", "MariaDB" -> MYSQL;
			case "H2" -> H2;
			default -> throw new IllegalStateException("The DataSource leads to '" + product
					+ "', but this library keeps records, receipts, locks and fences in PostgreSQL, MySQL, MariaDB or H2 only: give them a "
					+ "DataSource that does, or choose another lock engine or store");
		};
	}

	/**
	 * The time.
	 * @return an expression
	 */
	public String now() {
		return this.now;
	}

	/**
	 * The time at which the statement began, so that all of it judges by one: in
	 * microseconds since 1970.
	 * @return an expression
	 */
	public String microseconds() {
		return this.microseconds;
	}

	/**
	 * The time in so many microseconds.
	 * @return an expression with one parameter
	 */
	public String later() {
		return this.later;
	}

	/**
	 * A token above that of the row. It is the time if that is higher, so that tokens
	 * grow even if the row is deleted or comes from a backup.
	 * @return an expression
	 */
	public String nextToken() {
		return this.nextToken;
	}

	/**
	 * Makes an update give back what it writes, as a generated key.
	 * @param expression what is written
	 * @return the expression to write
	 */
	public String returned(String expression) {
		return this.returned.formatted(expression);
	}

	/**
	 * Whether the timeout of a statement ends with the statement. That of H2 stays with
	 * the connection, for whoever has it next; but H2 bounds each wait for a row by
	 * itself.
	 * @return whether to set it
	 */
	boolean hasStatementTimeout() {
		return this != H2;
	}

}
