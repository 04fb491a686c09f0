package io.idempotent.persistence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;

import io.idempotent.testing.TestPostgres;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables that a migration tool creates from copies of the scripts in the jars, as
 * docs/stores.md describes it.
 */
class MigrationToolTests {

	private static TestPostgres server;

	@TempDir
	private Path migrations;

	@BeforeAll
	static void start() {
		server = TestPostgres.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void flywayCreatesTheTables() throws IOException {
		String url = database("flyway");
		copy("store", "V7__idempotent_record.sql");
		copy("receipt", "V8__idempotent_receipt.sql");
		Flyway.configure().dataSource(url, "postgres", "").locations("filesystem:" + this.migrations).load().migrate();
		assertAPaymentIsMadeOnce(url);
	}

	@Test
	void liquibaseCreatesTheTables() throws IOException, SQLException, LiquibaseException {
		String url = database("liquibase");
		copy("store", "idempotent_record.sql");
		copy("receipt", "idempotent_receipt.sql");
		Files.writeString(this.migrations.resolve("changelog.yaml"), """
				databaseChangeLog:
				  - changeSet:
				      id: idempotent
				      author: shop
				      changes:
				        - sqlFile: { path: idempotent_record.sql }
				        - sqlFile: { path: idempotent_receipt.sql }
				""");
		try (Connection connection = DriverManager.getConnection(url);
				Liquibase liquibase = new Liquibase("changelog.yaml", new DirectoryResourceAccessor(this.migrations),
						new JdbcConnection(connection))) {
			liquibase.update();
		}
		assertAPaymentIsMadeOnce(url);
	}

	private static String database(String name) {
		JdbcClient.create(server.dataSource()).sql("create database " + name).update();
		return server.url().replace("/postgres?", "/" + name + "?");
	}

	private void copy(String tables, String name) throws IOException {
		try (InputStream script = getClass()
			.getResourceAsStream("/io/idempotent/jdbc/" + tables + "/schema-postgresql.sql")) {
			Files.copy(Objects.requireNonNull(script), this.migrations.resolve(name));
		}
	}

	private static void assertAPaymentIsMadeOnce(String url) {
		JdbcClient sql = JdbcClient.create(new DriverManagerDataSource(url));
		sql.sql("create table payment (id varchar(100) not null)").update();
		try (ConfigurableApplicationContext shop = new SpringApplicationBuilder(OneDatabase.class)
			.web(WebApplicationType.NONE)
			.initializers((GenericApplicationContext context) -> context.registerBean(Interruption.class, () -> () -> {
			}))
			.run("--spring.datasource.url=" + url, "--spring.application.name=shop", "--idempotent.store.type=jdbc",
					"--idempotent.store.required-at-start=true", "--idempotent.guard.enabled=true",
					"--idempotent.lock.enabled=false")) {
			Library library = shop.getBean(Libraries.class).get("JdbcClient");
			Till till = shop.getBean(Till.class);
			assertThat(till.pay(library, "1")).isEqualTo("paid 1").isEqualTo(till.pay(library, "1"));
		}
		for (String table : new String[] { "payment", "idempotent_record", "idempotent_receipt" }) {
			assertThat(sql.sql("select count(*) from " + table).query(Long.class).single()).as(table).isOne();
		}
	}

}
