package io.idempotent.boot.internal.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.jdbc.ShortStatements;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * A table that must exist when the application starts, with the columns of this version.
 * {@code use} is what fails without it. The schema scripts are in the package of
 * {@code owner}, and {@code initialize} is the property that makes the application run
 * them. {@code insteadOfRouting} is what to do with a DataSource that chooses a database
 * by the thread; {@code null} if it may.
 */
public record RequiredTable(DataSource dataSource, String property, String name, String defaultName, String use,
		Class<?> owner, String initialize, @Nullable String insteadOfRouting) {

	/** Names, and lengths of short texts, are the same for all databases. */
	private static final String SCRIPT = "schema-h2.sql";

	private static final Pattern COLUMN = Pattern.compile("^\\t(?!primary key)(\\w+) (?:varchar\\((\\d+)\\))?",
			Pattern.MULTILINE);

	/** Whether the DataSource is one of Spring, or of a library that took its name. */
	private boolean isRouting() {
		DataSource target = this.dataSource;
		while (target instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
			target = Objects.requireNonNull(proxy.getTargetDataSource());
		}
		return Stream.<Class<?>>iterate(target.getClass(), Objects::nonNull, Class::getSuperclass)
			.anyMatch((type) -> type.getSimpleName().equals(AbstractRoutingDataSource.class.getSimpleName()));
	}

	/** What is wrong with the table or its columns; nothing if all is well. */
	@Nullable InvalidConfigurationException problem() throws SQLException {
		if (this.insteadOfRouting != null && isRouting()) {
			return new InvalidConfigurationException(this.property, this.name,
					"its DataSource chooses a database by the thread, and not all statements come from the thread of the "
							+ "caller: in another database, a lease is not renewed",
					this.insteadOfRouting);
		}
		try {
			List<String> differences = differences();
			return differences.isEmpty() ? null : outdated(differences);
		}
		catch (SQLException ex) {
			if (ShortStatements.isMissingTable(ex)) {
				return missing();
			}
			throw ex;
		}
	}

	/** What is missing or too short, one text for each column. */
	private List<String> differences() throws SQLException {
		Map<String, Integer> room = new LinkedHashMap<>();
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("select * from " + this.name + " where 1 = 0");
				ResultSet none = statement.executeQuery()) {
			ResultSetMetaData actual = none.getMetaData();
			for (int i = 1; i <= actual.getColumnCount(); i++) {
				room.put(actual.getColumnName(i).toLowerCase(Locale.ROOT), actual.getPrecision(i));
			}
		}
		List<String> differences = new ArrayList<>();
		columns(this.owner, this.defaultName).forEach((column, length) -> {
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

	/** Columns of the scripts in lower case, with the length of a short text or 0. */
	static Map<String, Integer> columns(Class<?> owner, String table) {
		String script;
		try {
			script = new ClassPathResource(SCRIPT, owner).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		int start = script.indexOf("create table if not exists " + table + " (");
		if (start < 0) {
			throw new IllegalStateException("The " + SCRIPT + " of " + owner.getPackageName() + " has no " + table);
		}
		Map<String, Integer> lengths = new LinkedHashMap<>();
		COLUMN.matcher(script.substring(start, script.indexOf("\n);", start)))
			.results()
			.forEach((column) -> lengths.put(column.group(1),
					(column.group(2) != null) ? Integer.parseInt(column.group(2)) : 0));
		return lengths;
	}

	private InvalidConfigurationException outdated(List<String> differences) {
		return new InvalidConfigurationException(this.property, this.name,
				"this table was created for another version: " + String.join(", and ", differences) + ", and "
						+ this.use + " with it",
				"Change it (alter table) after the model of " + JdbcSchema.script(this.dataSource, this.owner));
	}

	private InvalidConfigurationException missing() {
		String file = JdbcSchema.script(this.dataSource, this.owner);
		return new InvalidConfigurationException(this.property, this.name,
				"the database has no such table, and " + this.use + " without it",
				this.name.equals(this.defaultName)
						? "Create it with " + file + ", or let the application do so: " + this.initialize + "=always"
						: "Create it after the model of " + file + ": " + this.initialize + " creates the table '"
								+ this.defaultName + "' only");
	}

}
