package io.idempotent.boot.internal.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.jdbc.ShortStatements;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * A table that must exist when the application starts. {@code use} is what fails without
 * it. The schema scripts are in the package of {@code owner}. {@code insteadOfRouting} is
 * what to do with a DataSource that chooses a database by the thread; {@code null} if it
 * may.
 */
public record RequiredTable(DataSource dataSource, String property, String name, String defaultName, String use,
		Class<?> owner, @Nullable String insteadOfRouting) {

	private boolean isRouting() {
		return ShortStatements.findWrapped(this.dataSource, AbstractRoutingDataSource.class) != null
				|| Stream.iterate(this.dataSource, Objects::nonNull, RequiredTable::target)
					// A wrapper may answer with a new one each time.
					.limit(10)
					.anyMatch((each) -> isRouting(each.getClass()));
	}

	private static @Nullable DataSource target(DataSource wrapper) {
		DataSource target = (wrapper instanceof DelegatingDataSource proxy) ? proxy.getTargetDataSource()
				: ShortStatements.findWrapped(wrapper, DataSource.class);
		return (target != wrapper) ? target : null;
	}

	/** Also of a library that took the name. */
	private static boolean isRouting(Class<?> type) {
		return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
			.anyMatch((each) -> each.getSimpleName().equals(AbstractRoutingDataSource.class.getSimpleName()));
	}

	/** Asks the database what is wrong with the table; nothing if all is well. */
	@Nullable InvalidConfigurationException findProblem() throws SQLException {
		if (this.insteadOfRouting != null && isRouting()) {
			return new InvalidConfigurationException(this.property, this.name,
					"its DataSource chooses a database by the thread, and not all statements come from the thread of the "
							+ "caller: in another database, a lease is not renewed",
					this.insteadOfRouting);
		}
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("select 1 from " + this.name + " where 1 = 0")) {
			statement.execute();
			return null;
		}
		catch (SQLException ex) {
			if (ShortStatements.isMissingTable(ex)) {
				return missing();
			}
			throw ex;
		}
	}

	private InvalidConfigurationException missing() {
		String file = JdbcSchema.script(this.dataSource, this.owner);
		return new InvalidConfigurationException(this.property, this.name,
				"the database has no such table in the default schema of its connections (which "
						+ "spring.datasource.hikari.schema sets), and " + this.use + " without it",
				this.name.equals(this.defaultName) ? JdbcSchema.howToCreate(this.name, file)
						: "Create '" + this.name + "' after the model of " + file + ": " + JdbcSchema.PROPERTY
								+ " creates the table '" + this.defaultName + "' only");
	}

}
