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

	/** MySQL 8.0, MariaDB 10.6 or newer. An update returns a value as a generated key. */
	MYSQL("utc_timestamp(6)", "timestampadd(microsecond, ?, utc_timestamp(6))",
			"timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))",
			"timestampdiff(microsecond, utc_timestamp(6), %s)", "%s div 16", "last_insert_id(%s)"),

	/**
	 * H2 2.2 or newer. Its clock stands still within a transaction. A where clause reads
	 * it for each row, which is slow for an epoch: that is a decimal number.
	 */
	H2("current_timestamp", "dateadd(microsecond, ?, current_timestamp)",
			"datediff(microsecond, timestamp '1970-01-01 00:00:00', current_timestamp at time zone 'UTC')",
			"cast((extract(epoch from %s) - extract(epoch from current_timestamp)) * 1000000 as bigint)", "%s / 16",
			"%s"),

	/** Oracle 19c or newer, for receipts and fences only. Not tested on a server. */
	ORACLE(oracleMicroseconds("(systimestamp - timestamp '1970-01-01 00:00:00 +00:00')")),

	/** SQL Server 2017 or newer, for receipts and fences only. Not tested on a server. */
	SQL_SERVER("datediff_big(microsecond, '1970-01-01', sysutcdatetime())");

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

	Dialect(String microseconds) {
		this("", "", microseconds, "", "", "");
	}

	private static String oracleMicroseconds(String since1970) {
		return "(extract(day from %1$s) * 86400e6 + extract(hour from %1$s) * 3600e6".formatted(since1970)
				+ " + extract(minute from %1$s) * 60e6 + extract(second from %1$s) * 1e6)".formatted(since1970);
	}

	/** The dialect for receipts and fences; unsupported databases are refused. */
	public static Dialect of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product) {
			case "PostgreSQL" -> POSTGRESQL;
			case "MySQL", "MariaDB" -> MYSQL;
			case "H2" -> H2;
			case "Oracle" -> ORACLE;
			case "Microsoft SQL Server" -> SQL_SERVER;
			default -> throw unsupported(product);
		};
	}

	/** The dialect for records and locks; databases that cannot keep them are refused. */
	public static Dialect forLeases(Connection connection) throws SQLException {
		Dialect dialect = of(connection);
		if (dialect == ORACLE || dialect == SQL_SERVER) {
			throw unsupported(connection.getMetaData().getDatabaseProductName());
		}
		return dialect;
	}

	private static IllegalStateException unsupported(String product) {
		return new IllegalStateException("The DataSource leads to '" + product
				+ "', but this library keeps records and locks in PostgreSQL, MySQL, MariaDB or H2 only, and receipts and "
				+ "fences in these, Oracle or SQL Server: give them a DataSource that does, or choose another store or lock "
				+ "engine, such as those on Redis");
	}

	public String now() {
		return this.now;
	}

	/** The start time of the statement, in microseconds since 1970. */
	public String microseconds() {
		return this.microseconds;
	}

	/** The time from now until a time, in microseconds; negative if it has passed. */
	public String microsecondsUntil(String time) {
		return this.microsecondsUntil.formatted(time);
	}

	public String later() {
		return this.later;
	}

	/**
	 * The next fencing token: the row's token + 1, or the time in units of 16
	 * microseconds if higher, so that tokens grow even if the row was deleted or restored
	 * from a backup. Below 2<sup>48</sup>.
	 */
	public String nextToken() {
		return this.nextToken;
	}

	public String returned(String expression) {
		return this.returned.formatted(expression);
	}

	/** On H2 it would remain set on the pooled connection; H2 limits waits by itself. */
	boolean hasStatementTimeout() {
		return this != H2;
	}

}
