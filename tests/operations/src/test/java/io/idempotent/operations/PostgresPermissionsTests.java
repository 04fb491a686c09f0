package io.idempotent.operations;

import java.util.List;

import javax.sql.DataSource;

import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresPermissionsTests extends DatabasePermissionsContract {

	private final TestPostgres server = TestPostgres.start();

	@AfterAll
	void stopServer() {
		this.server.close();
	}

	@Override
	String platform() {
		return "postgresql";
	}

	@Override
	DataSource owner() {
		return this.server.dataSource();
	}

	@Override
	void createUser(DataSource owner, List<String> grants) {
		JdbcTemplate sql = new JdbcTemplate(owner);
		sql.execute("create role shop_app login");
		sql.execute("grant select, insert on entry to shop_app");
		grants.forEach(sql::execute);
	}

	@Override
	DataSource user() {
		return new DriverManagerDataSource(this.server.url().replace("user=postgres", "user=shop_app"));
	}

}
