package io.idempotent.jdbc;

import java.util.regex.Pattern;

/**
 * Validates table names, which are used unquoted in statements.
 */
public final class TableName {

	private static final Pattern IDENTIFIER = Pattern
		.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

	private TableName() {
	}

	public static boolean isOne(String table) {
		return IDENTIFIER.matcher(table).matches();
	}

	public static String require(String table) {
		if (!isOne(table)) {
			throw new IllegalArgumentException("The table name '" + table
					+ "' cannot stand in a statement: use letters, digits and underscores, and a schema before a dot "
					+ "if need be");
		}
		return table;
	}

}
