package io.idempotent.autoconfigure;

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
final class JdbcSchema {

	private static final String SCRIPT = "classpath:%s/schema-@@platform@@.sql";

	private JdbcSchema() {
	}

	/**
	 * Creates what runs a schema file.
	 * @param owner whose package has the schema files
	 */
	static DataSourceScriptDatabaseInitializer initializer(DataSource dataSource, Class<?> owner,
			InitializeSchema when) {
		String script = SCRIPT.formatted(ClassUtils.classPackageAsResourcePath(owner));
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, script));
		settings.setMode((when == InitializeSchema.ALWAYS) ? DatabaseInitializationMode.ALWAYS
				: DatabaseInitializationMode.EMBEDDED);
		return new DataSourceScriptDatabaseInitializer(dataSource, settings);
	}

	/**
	 * Matches unless nobody wants the tables of locks to be created.
	 */
	static final class OfLocks extends NoneNestedConditions {

		OfLocks() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "idempotent.lock.jdbc.initialize-schema", havingValue = "never")
		static class Never {

		}

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
