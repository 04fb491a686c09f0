package io.idempotent.operations;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.support.StartUpException;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Flyway and Liquibase create the tables from the scripts in the jars, as docs/stores.md
 * shows it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MigrationToolContract {

	private static final String[] TABLES = { "idempotent_fence", "idempotent_lock", "idempotent_lock_epoch",
			"idempotent_lock_reader", "idempotent_operation", "idempotent_receipt", "idempotent_record",
			"idempotent_step", "idempotent_transaction_lock" };

	/** What Spring Boot puts in the place of {@code {vendor}}. */
	abstract String vendor();

	abstract DataSource newDatabase();

	@Test
	void flywayCreatesEachTableOnce() throws SQLException {
		DataSource database = newDatabase();
		Flyway flyway = flyway(database).load();
		assertThat(flyway.migrate().migrationsExecuted).isEqualTo(5);
		assertThat(flyway.migrate().migrationsExecuted).isZero();
		assertThat(tables(database)).contains(TABLES);
	}

	@Test
	void liquibaseCreatesEachTableOnce() throws SQLException, LiquibaseException {
		DataSource database = newDatabase();
		assertThat(liquibase(database)).isEqualTo(5);
		assertThat(liquibase(database)).isZero();
		assertThat(tables(database)).contains(TABLES);
	}

	@Test
	void aTableThatExistsKeepsItsRows() throws SQLException, LiquibaseException {
		DataSource database = newDatabase();
		liquibase(database);
		JdbcTemplate sql = new JdbcTemplate(database);
		sql.update("insert into idempotent_transaction_lock (name, token) values ('stock', 1)");
		flyway(database).baselineOnMigrate(true).load().migrate();
		assertThat(sql.queryForObject("select count(*) from idempotent_transaction_lock", Long.class)).isOne();
	}

	@Test
	void aVersionWithoutTheScriptsStartsIfFlywayIgnoresThem() {
		DataSource database = newDatabase();
		flyway(database).load().migrate();
		FluentConfiguration before = Flyway.configure().dataSource(database).locations("classpath:none");
		assertThatExceptionOfType(FlywayValidateException.class).isThrownBy(before.load()::migrate);
		assertThat(before.ignoreMigrationPatterns("repeatable:missing", "*:future").load().migrate().success).isTrue();
	}

	@Test
	void aStartWithoutTheTablesNamesBothToolsFirst() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(GuardAutoConfiguration.class, IdempotencyAutoConfiguration.class,
					StartUpAutoConfiguration.class))
			.withBean(DataSource.class, this::newDatabase)
			.withPropertyValues("idempotent.store.type=jdbc", "idempotent.guard.enabled=true")
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOfSatisfying(StartUpException.class,
					(failure) -> assertThat(failure.action()).startsWith("""
							Create the missing tables in one of these ways:
							- by Flyway: spring.flyway.locations=classpath:db/migration,\
							classpath:io/idempotent/db/migration/{vendor}
							- by Liquibase, in your changelog: - includeAll: { path: io/idempotent/db/changelog }. \
							If it is there, Liquibase may not have finished: let the start wait for it \
							(JHipster: application.liquibase.async-start=false)
							- by the application itself: idempotent.initialize-schema=always
							- by a script: classpath:io/idempotent/jdbc/""")
						.containsOnlyOnce("/jdbc/store/schema-")
						.containsOnlyOnce("/jdbc/receipt/schema-")));
	}

	private FluentConfiguration flyway(DataSource database) {
		return Flyway.configure().dataSource(database).locations("classpath:io/idempotent/db/migration/" + vendor());
	}

	/** Returns the number of change sets that were run. */
	private static int liquibase(DataSource database) throws SQLException, LiquibaseException {
		try (Connection connection = database.getConnection();
				Liquibase liquibase = new Liquibase("changelog.yaml", new ClassLoaderResourceAccessor(),
						new JdbcConnection(connection))) {
			int pending = liquibase.listUnrunChangeSets(null, null).size();
			liquibase.update();
			return pending;
		}
	}

	private static Set<String> tables(DataSource database) throws SQLException {
		Set<String> tables = new TreeSet<>();
		try (Connection connection = database.getConnection()) {
			DatabaseMetaData metaData = connection.getMetaData();
			try (ResultSet found = metaData.getTables(connection.getCatalog(), null, "idempotent%", null)) {
				while (found.next()) {
					tables.add(found.getString("TABLE_NAME"));
				}
			}
		}
		return tables;
	}

}
