package io.idempotent.operations;

import javax.sql.DataSource;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

@Tag("mariadb")
class MariaDbMigrationToolTests extends MigrationToolContract {

	@Override
	String vendor() {
		return "mariadb";
	}

	@Override
	DataSource newDatabase() {
		return new DriverManagerDataSource(TestMariaDb.newDatabase());
	}

}
