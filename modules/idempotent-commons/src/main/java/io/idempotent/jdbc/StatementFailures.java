package io.idempotent.jdbc;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The exceptions of a caller for failures of its database, with what to do about them.
 *
 * @param owner the class whose package has the {@code schema-*.sql} of the tables
 * @param unsent creates the exception if there was no connection for a statement
 * @param unconfirmed creates the exception if a statement failed, which may have taken
 * effect
 */
public record StatementFailures(Class<?> owner, BiFunction<String, SQLException, ? extends RuntimeException> unsent,
		BiFunction<String, SQLException, ? extends RuntimeException> unconfirmed) {

	/** A column is missing, or too short. */
	private static final Set<String> OTHER_COLUMNS = Set.of("42S22", "42703", "22001");

	RuntimeException unsent(String what, SQLException cause) {
		// Without a state, the pool itself gave up.
		boolean reported = causes(cause)
			.anyMatch((each) -> each instanceof SQLException ex && ex.getSQLState() != null);
		return this.unsent.apply("The database was not asked to " + what
				+ ", because its DataSource gave no connection (" + reasons(cause) + "). "
				+ (reported ? "Check whether the database runs, and the settings of the DataSource"
						: "Stores and locks take connections beside that of a transaction: if the threads that wait hold "
								+ "all connections of the pool, make it larger, or give stores and locks a DataSource "
								+ "of their own"),
				cause);
	}

	/** In one line; a pool has the reason of the database as its cause. */
	private static String reasons(SQLException failure) {
		return causes(failure).map((each) -> String.valueOf(each.getMessage()).replaceAll("\\R\\s*", " "))
			.distinct()
			.collect(Collectors.joining(": "));
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	/** Translates the failure of a statement. */
	public RuntimeException unconfirmed(String what, SQLException cause) {
		return this.unconfirmed.apply("The database failed to " + what + ", or did not confirm it (SQLState "
				+ cause.getSQLState() + "): " + cause.getMessage() + advice(cause), cause);
	}

	private String advice(SQLException failure) {
		String scripts = "the schema-*.sql of " + this.owner.getPackageName();
		if (OTHER_COLUMNS.contains(String.valueOf(failure.getSQLState()))) {
			return ". The table was created for another version: change it (alter table) after the model of " + scripts;
		}
		return ShortStatements.isMissingTable(failure)
				? ". If the table is missing, create it with " + scripts + ", or let idempotent.initialize-schema do so"
				: "";
	}

}
