package io.idempotent.operations;

import javax.sql.DataSource;

import io.idempotent.testing.TestPostgres;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresMigrationToolTests extends MigrationToolContract {

	@Override
	String vendor() {
		return "postgresql";
	}

	@Override
	DataSource newDatabase() {
		return new DriverManagerDataSource(TestPostgres.newDatabase());
	}

}
