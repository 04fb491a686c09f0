package io.idempotent.jdbc;

import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Translates failures of a database into the exceptions of the caller.
 */
@FunctionalInterface
public interface FailureTranslator {

	/**
	 * Translates a failure to get a connection: no statement was sent. By default as
	 * {@link #failed}.
	 */
	default RuntimeException noConnection(String what, SQLException cause) {
		return failed(what, cause);
	}

	/**
	 * Why a DataSource gave no connection, and what to do: the advice on its pool, unless
	 * the database or its driver has told the cause.
	 */
	static String withoutConnection(SQLException failure, String adviceOnPool) {
		boolean told = causes(failure).anyMatch((each) -> each instanceof SQLException ex && ex.getSQLState() != null);
		return "its DataSource gave no connection (" + reasons(failure) + "). "
				+ (told ? "Check whether the database runs, and the settings of the DataSource" : adviceOnPool);
	}

	/** In one line; a pool has the reason of the database as its cause. */
	static String reasons(SQLException failure) {
		return causes(failure).map((each) -> String.valueOf(each.getMessage()).replaceAll("\\R\\s*", " "))
			.distinct()
			.collect(Collectors.joining(": "));
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	/** Translates the failure of a statement, which may have taken effect. */
	RuntimeException failed(String what, SQLException cause);

}
