package io.idempotent.boot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.idempotent.jdbc.ShortStatements;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A table that must exist when the application starts, with the columns of this version.
 *
 * @param property the property with its name
 * @param name its name, a plain SQL identifier
 * @param defaultName the name under which the schema scripts create it
 * @param use what fails without the table
 * @param owner a class whose package contains the schema scripts
 * @param initialize the property that makes the application run the scripts
 */
public record RequiredTable(String property, String name, String defaultName, String use, Class<?> owner,
		String initialize) {

	private static final Log logger = LogFactory.getLog(RequiredTable.class);

	/**
	 * Fails if the table, or a column, is missing, or a column is too short. A database
	 * that does not respond is only a warning in the log.
	 * @param dataSource the database
	 * @throws InvalidConfigurationException if no statement could use the table
	 */
	public void requireIn(DataSource dataSource) {
		List<String> differences = new CopyOnWriteArrayList<>();
		Throwable failure = StartUpProbe.failure("idempotent-table-check",
				() -> differences.addAll(differences(dataSource)));
		if (failure instanceof SQLException ex && ShortStatements.isMissingTable(ex)) {
			throw missing();
		}
		if (failure == null && !differences.isEmpty()) {
			throw outdated(differences);
		}
		if (failure != null) {
			logger.warn("The table '" + this.name + "' could not be read while the application starts; " + this.use
					+ " until it can: " + failure.getMessage());
		}
	}

	private List<String> differences(DataSource dataSource) throws SQLException {
		try (Connection connection = dataSource.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("select * from " + this.name + " where 1 = 0");
				ResultSet none = statement.executeQuery()) {
			return SchemaColumns.of(this.owner, this.defaultName).differences(none.getMetaData());
		}
	}

	private InvalidConfigurationException outdated(List<String> differences) {
		return new InvalidConfigurationException(this.property, this.name,
				"this table was created for another version: " + String.join(", and ", differences) + ", and "
						+ this.use + " with it",
				"Change it (alter table) after the model of the schema-*.sql of " + this.owner.getPackageName());
	}

	private InvalidConfigurationException missing() {
		String files = "the schema-*.sql of " + this.owner.getPackageName();
		return new InvalidConfigurationException(this.property, this.name,
				"the database has no such table, and " + this.use + " without it",
				this.name.equals(this.defaultName)
						? "Create it with " + files + ", or let the application do so: " + this.initialize + "=always"
						: "Create it after the model of " + files + ": " + this.initialize + " creates the table '"
								+ this.defaultName + "' only");
	}

}
