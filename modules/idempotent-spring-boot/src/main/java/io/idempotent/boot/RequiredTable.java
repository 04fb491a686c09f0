package io.idempotent.boot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.idempotent.jdbc.ShortStatements;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A table without which nothing would work, and how it gets into the database.
 *
 * @param property the property that names it
 * @param name its name, a plain SQL identifier
 * @param usualName the name under which the schema files create it
 * @param use what fails without it
 * @param owner whose package has the schema files
 * @param initialize the property that lets the application run them
 */
public record RequiredTable(String property, String name, String usualName, String use, Class<?> owner,
		String initialize) {

	private static final Log logger = LogFactory.getLog(RequiredTable.class);

	/**
	 * Refuses to start without the table. A database that does not answer stops no start:
	 * it is one line in the log.
	 * @param dataSource the database
	 * @throws InvalidConfigurationException if the database says that there is no such
	 * table
	 */
	public void requireIn(DataSource dataSource) {
		Throwable failure = StartUpProbe.failure("idempotent-table-check", () -> read(dataSource));
		if (failure instanceof SQLException ex && ShortStatements.isMissingTable(ex)) {
			throw missing();
		}
		if (failure != null) {
			logger.warn("The table '" + this.name + "' could not be read while the application starts; " + this.use
					+ " until it can: " + failure.getMessage());
		}
	}

	private void read(DataSource dataSource) throws SQLException {
		try (Connection connection = dataSource.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("select 1 from " + this.name + " where 1 = 0")) {
			statement.execute();
		}
	}

	private InvalidConfigurationException missing() {
		String files = "the schema-*.sql of " + this.owner.getPackageName();
		return new InvalidConfigurationException(this.property, this.name,
				"the database has no such table, and " + this.use + " without it",
				this.name.equals(this.usualName)
						? "Create it with " + files + ", or let the application do so: " + this.initialize + "=always"
						: "Create it after the model of " + files + ": " + this.initialize + " creates the table '"
								+ this.usualName + "' only");
	}

}
