package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables of this library when {@code idempotent.initialize-schema} says so.
 * Each store does so before it is used, and after migrations of the application.
 */
public final class JdbcSchema {

	/** For the statements on its tables, each of which uses a key or an index. */
	public static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

	static final String PROPERTY = "idempotent.initialize-schema";

	private static final String SCRIPT = "classpath:%s/schema-@@platform@@.sql";

	private JdbcSchema() {
	}

	/** Runs the script in the owner's package. Fails on an unsupported database. */
	public static void create(DataSource dataSource, Class<?> owner, Environment environment) {
		DatabaseInitializationMode mode = Binder.get(environment)
			.bind(PROPERTY, DatabaseInitializationMode.class)
			.orElse(DatabaseInitializationMode.EMBEDDED);
		if (mode == DatabaseInitializationMode.NEVER) {
			return;
		}
		String script = script(dataSource, owner);
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(List.of(script));
		settings.setMode(mode);
		// It does not support "if not exists"; the table is checked later.
		settings.setContinueOnError(script.endsWith("-oracle.sql"));
		run(new DataSourceScriptDatabaseInitializer(dataSource, settings), null);
	}

	/**
	 * Runs the script again after a failure: another node may have created the same table
	 * at the same time, which {@code if not exists} does not prevent on PostgreSQL and
	 * H2. A statement that fails twice in a row has another reason.
	 */
	private static void run(DataSourceScriptDatabaseInitializer script, @Nullable String failedBefore) {
		try {
			script.initializeDatabase();
		}
		catch (ScriptStatementFailedException ex) {
			String statement = String.valueOf(ex.getMessage());
			if (statement.equals(failedBefore)) {
				throw ex;
			}
			run(script, statement);
		}
	}

	/** A line for each way: first the migration tools that the application has. */
	static String howToCreate(String table, String script) {
		List<String> ways = new ArrayList<>(List.of("Create the missing tables in one of these ways:"));
		if (ClassUtils.isPresent("org.flywaydb.core.Flyway", JdbcSchema.class.getClassLoader())) {
			ways.add("- by Flyway: spring.flyway.locations=classpath:db/migration,"
					+ "classpath:io/idempotent/db/migration/{vendor}");
		}
		if (ClassUtils.isPresent("liquibase.Liquibase", JdbcSchema.class.getClassLoader())) {
			ways.add("- by Liquibase, in your changelog: - includeAll: { path: io/idempotent/db/changelog }. If it is "
					+ "there, Liquibase may not have finished: let the start wait for it "
					+ "(JHipster: application.liquibase.async-start=false)");
		}
		ways.add("- by the application itself: " + PROPERTY + "=always");
		ways.add("- by a script: " + script + " for '" + table + "'");
		return String.join("\n", ways);
	}

	/** The script in the owner's package. Fails on an unsupported database. */
	static String script(DataSource dataSource, Class<?> owner) {
		String script = new PlatformPlaceholderDatabaseDriverResolver()
			.resolveAll(dataSource, SCRIPT.formatted(ClassUtils.classPackageAsResourcePath(owner)))
			.get(0);
		requireSupported(script);
		return script;
	}

	private static void requireSupported(String script) {
		if (!new DefaultResourceLoader(JdbcSchema.class.getClassLoader()).getResource(script).exists()) {
			String platform = script.substring(script.lastIndexOf('-') + 1, script.lastIndexOf('.'));
			throw new InvalidConfigurationException("The database", platform,
					"records and locks in a database need PostgreSQL, MySQL, MariaDB or H2, and receipts and fences one "
							+ "of these, Oracle or SQL Server",
					"Use one of them, or keep records and locks in Redis (idempotent.store.type=redis, "
							+ "idempotent.lock.engines=redisson), or set idempotent.store.type=local and "
							+ "idempotent.lock.engines=local where one node is enough, as in tests. Receipts and fences "
							+ "are switched off by idempotent.guard.enabled=false");
		}
	}

}
