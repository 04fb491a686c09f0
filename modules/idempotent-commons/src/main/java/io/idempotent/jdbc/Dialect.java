package io.idempotent.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * SQL expressions in the dialect of one database. Times and tokens come from the clock of
 * the database, never from the clock of a JVM or the time zone of a session.
 */
public enum Dialect {

	/** PostgreSQL 9.5 or newer. */
	POSTGRESQL("clock_timestamp()", "clock_timestamp() + ? * interval '1 microsecond'",
			"cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)",
			"cast(extract(epoch from (%s - clock_timestamp())) * 1000000 as bigint)", "%s / 16", "%s"),

	/**
	 * MySQL 8.0 and MariaDB 10.6 or newer. An update returns no columns, but the argument
	 * of <code>last_insert_id</code> as a generated key.
	 */
	MYSQL("utc_timestamp(6)", "timestampadd(microsecond, ?, utc_timestamp(6))",
			"timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))",
			"timestampdiff(microsecond, utc_timestamp(6), %s)", "%s div 16", "last_insert_id(%s)"),

	/** H2 2.2 or newer. Its clock stands still within a transaction. */
	H2("current_timestamp", "dateadd(microsecond, ?, current_timestamp)",
			"datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', current_timestamp)",
			"datediff(microsecond, current_timestamp, %s)", "%s / 16", "%s");

	private final String now;

	private final String microseconds;

	private final String later;

	private final String microsecondsUntil;

	private final String nextToken;

	private final String returned;

	Dialect(String now, String later, String microseconds, String microsecondsUntil, String sixteenth,
			String returned) {
		this.now = now;
		this.later = later;
		this.microseconds = microseconds;
		this.microsecondsUntil = microsecondsUntil;
		this.nextToken = "greatest(token + 1, " + sixteenth.formatted(microseconds) + ")";
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
	 * The current time.
	 * @return an expression
	 */
	public String now() {
		return this.now;
	}

	/**
	 * The time at which the statement began, the same throughout the statement, in
	 * microseconds since 1970.
	 * @return an expression
	 */
	public String microseconds() {
		return this.microseconds;
	}

	/**
	 * The time from now until a time, in microseconds.
	 * @param time an expression for the time
	 * @return an expression, negative if the time has passed
	 */
	public String microsecondsUntil(String time) {
		return this.microsecondsUntil.formatted(time);
	}

	/**
	 * The current time plus a number of microseconds.
	 * @return an expression with one parameter
	 */
	public String later() {
		return this.later;
	}

	/**
	 * The next fencing token of a row: one more than its token, or the time in units of
	 * 16 microseconds if that is higher, so that tokens grow even if the row was deleted
	 * or restored from a backup, and remain below 2<sup>48</sup>.
	 * @return an expression
	 */
	public String nextToken() {
		return this.nextToken;
	}

	/**
	 * Makes an update return the value that it writes, as a generated key.
	 * @param expression the value
	 * @return the expression to write
	 */
	public String returned(String expression) {
		return this.returned.formatted(expression);
	}

	/**
	 * Whether a timeout applies to one statement only. On H2 it would remain set on the
	 * pooled connection; but H2 limits each wait for a row by itself.
	 * @return whether to set a timeout
	 */
	boolean hasStatementTimeout() {
		return this != H2;
	}

}
