package io.idempotent.boot;

import java.util.Arrays;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.util.ClassUtils;

/**
 * Creates the initializers of the database schemas of this library.
 */
public final class JdbcSchema {

	private static final String SCRIPT = "classpath:%s/schema-@@platform@@.sql";

	private JdbcSchema() {
	}

	/**
	 * Creates an initializer that runs schema scripts.
	 * @param dataSource the database
	 * @param mode when to run them
	 * @param owners classes whose packages contain the scripts
	 * @return the initializer
	 */
	public static DataSourceScriptDatabaseInitializer initializer(DataSource dataSource,
			DatabaseInitializationMode mode, Class<?>... owners) {
		String[] scripts = Arrays.stream(owners)
			.map((owner) -> SCRIPT.formatted(ClassUtils.classPackageAsResourcePath(owner)))
			.toArray(String[]::new);
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, scripts));
		settings.setMode(mode);
		return new DataSourceScriptDatabaseInitializer(dataSource, settings);
	}

}
