package io.idempotent.boot;

import java.util.Arrays;

import javax.sql.DataSource;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables that are kept in a database.
 */
public final class JdbcSchema {

	private static final String SCRIPT = "classpath:%s/schema-@@platform@@.sql";

	private JdbcSchema() {
	}

	/**
	 * Creates what runs schema files.
	 * @param dataSource the database
	 * @param when when they are run
	 * @param owners whose packages have the schema files
	 * @return the initializer
	 */
	public static DataSourceScriptDatabaseInitializer initializer(DataSource dataSource, InitializeSchema when,
			Class<?>... owners) {
		String[] scripts = Arrays.stream(owners)
			.map((owner) -> SCRIPT.formatted(ClassUtils.classPackageAsResourcePath(owner)))
			.toArray(String[]::new);
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, scripts));
		settings.setMode((when == InitializeSchema.ALWAYS) ? DatabaseInitializationMode.ALWAYS
				: DatabaseInitializationMode.EMBEDDED);
		return new DataSourceScriptDatabaseInitializer(dataSource, settings);
	}

	/**
	 * Matches unless nobody wants the table of records to be created.
	 */
	static final class OfRecords extends NoneNestedConditions {

		OfRecords() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "idempotent.store.jdbc.initialize-schema", havingValue = "never")
		static class Never {

		}

	}

	/**
	 * Matches unless nobody wants the tables of guards to be created.
	 */
	static final class OfGuards extends NoneNestedConditions {

		OfGuards() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "idempotent.guard.initialize-schema", havingValue = "never")
		static class Never {

		}

	}

}
