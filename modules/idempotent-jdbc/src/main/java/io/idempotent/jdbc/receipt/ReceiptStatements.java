package io.idempotent.jdbc.receipt;

import io.idempotent.jdbc.Dialect;

/**
 * The statements on one table of receipts in the dialect of one database. If the key is
 * {@code keyLast}, {@code insert} has it as its last argument too.
 */
record ReceiptStatements(boolean keyLast, String insert, String lock, String addOutcome, String find, String delete,
		String purge) {

	static final int BATCH = 1000;

	private static final String OF_KEY = " where operation_key = ?";

	private static final String OF_ATTEMPT = OF_KEY + " and owner = ?";

	static ReceiptStatements of(String table, Dialect dialect) {
		String now = dialect.microseconds();
		return new ReceiptStatements(dialect == Dialect.SQL_SERVER, insert(table, dialect), lock(table, dialect),
				"update " + table + " set answer = ?" + OF_ATTEMPT,
				"select owner, attempt, answer, fingerprint, " + now + " - created_at from " + table + OF_KEY,
				"delete from " + table + OF_ATTEMPT, purge(table, dialect));
	}

	private static String insert(String table, Dialect dialect) {
		String into = "insert into " + table
				+ " (operation_key, owner, attempt, fingerprint, operation, created_at, answer) ";
		String values = "?, ?, ?, ?, ?, " + dialect.microseconds() + ", ?";
		return switch (dialect) {
			// With xact_abort on, a duplicate would abort the transaction. With holdlock,
			// operations with adjacent keys would wait for each other.
			case SQL_SERVER -> into + "select " + values + " where not exists (select 1 from " + table
					+ " with (updlock)" + OF_KEY + ")";
			// A failing statement aborts the transaction.
			case POSTGRESQL -> into + "values (" + values + ") on conflict (operation_key) do nothing";
			case MYSQL, H2, ORACLE -> into + "values (" + values + ")";
		};
	}

	/** With a row lock, to see what was committed after the transaction started. */
	private static String lock(String table, Dialect dialect) {
		String select = "select owner from " + table;
		return switch (dialect) {
			// The failed insert holds a shared lock on the row, as may those of others.
			case MYSQL -> select + OF_KEY + " lock in share mode";
			case SQL_SERVER -> select + " with (updlock, rowlock)" + OF_KEY;
			case POSTGRESQL, H2, ORACLE -> select + OF_KEY + " for update";
		};
	}

	private static String purge(String table, Dialect dialect) {
		String delete = "delete from " + table + " where ";
		String old = "created_at < " + dialect.microseconds() + " - ?";
		return switch (dialect) {
			case MYSQL -> delete + old + " limit " + BATCH;
			// H2 would evaluate a subquery for each row.
			case H2 -> delete + old + " fetch first " + BATCH + " rows only";
			// Without statistics, the planner supposes that an open range has many rows
			// and a closed one few: only then does it read the index.
			case POSTGRESQL -> delete + "operation_key = any(array(select operation_key from " + table
					+ " where created_at >= 0 and " + old + " order by created_at limit " + BATCH + "))";
			case ORACLE -> delete + old + " and rownum <= " + BATCH;
			case SQL_SERVER -> "delete top (" + BATCH + ") from " + table + " where " + old;
		};
	}

}
