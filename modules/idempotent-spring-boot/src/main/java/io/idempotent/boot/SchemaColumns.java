package io.idempotent.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;

/**
 * The columns that the schema scripts give to a table. Names, and lengths of short texts,
 * are the same for all databases.
 *
 * @param lengths the columns by name in lower case, each with the length of its text, or
 * 0 if it is no short text
 */
record SchemaColumns(Map<String, Integer> lengths) {

	private static final String SCRIPT = "schema-h2.sql";

	private static final Pattern COLUMN = Pattern.compile("^\\t(?!primary key)(\\w+) (?:varchar\\((\\d+)\\))?",
			Pattern.MULTILINE);

	/**
	 * Reads the columns from the script.
	 * @param owner a class whose package contains the scripts
	 * @param table the name of a table in the script
	 */
	static SchemaColumns of(Class<?> owner, String table) {
		String script = read(owner);
		String begin = "create table if not exists " + table + " (";
		int start = script.indexOf(begin);
		if (start < 0) {
			throw new IllegalStateException("The " + SCRIPT + " of " + owner.getPackageName() + " has no " + table);
		}
		Map<String, Integer> lengths = new LinkedHashMap<>();
		Matcher columns = COLUMN.matcher(script.substring(start, script.indexOf("\n);", start)));
		while (columns.find()) {
			lengths.put(columns.group(1), (columns.group(2) != null) ? Integer.parseInt(columns.group(2)) : 0);
		}
		return new SchemaColumns(lengths);
	}

	private static String read(Class<?> owner) {
		try {
			return new ClassPathResource(SCRIPT, owner).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Compares the columns with those of a database.
	 * @param actual the columns of the table there
	 * @return what is missing or too short, one text for each column
	 * @throws SQLException if the driver fails
	 */
	List<String> differences(ResultSetMetaData actual) throws SQLException {
		Map<String, Integer> room = new LinkedHashMap<>();
		for (int i = 1; i <= actual.getColumnCount(); i++) {
			room.put(actual.getColumnName(i).toLowerCase(Locale.ROOT), actual.getPrecision(i));
		}
		List<String> differences = new ArrayList<>();
		this.lengths.forEach((column, length) -> {
			Integer found = room.get(column);
			if (found == null) {
				differences.add("the column '" + column + "' is missing");
			}
			// Drivers report 0 where they do not know.
			else if (found > 0 && found < length) {
				differences
					.add("the column '" + column + "' has room for " + found + " characters instead of " + length);
			}
		});
		return differences;
	}

}
