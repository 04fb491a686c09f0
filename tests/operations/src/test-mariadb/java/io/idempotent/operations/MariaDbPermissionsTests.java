package io.idempotent.operations;

import java.util.List;

import javax.sql.DataSource;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

@Tag("mariadb")
class MariaDbPermissionsTests extends DatabasePermissionsContract {

	private final TestMariaDb server = TestMariaDb.start();

	@AfterAll
	void stopServer() {
		this.server.close();
	}

	@Override
	String platform() {
		return "mariadb";
	}

	@Override
	DataSource owner() {
		return this.server.dataSource();
	}

	/** The server of the tests checks no permissions before it is told to load them. */
	@Override
	void createUser(DataSource owner, List<String> grants) {
		SingleConnectionDataSource session = new SingleConnectionDataSource(this.server.url(), true);
		JdbcTemplate sql = new JdbcTemplate(session);
		sql.execute("flush privileges");
		sql.execute("create user 'shop_app'@'localhost' identified by 'secret'");
		sql.execute("grant select, insert on entry to 'shop_app'@'localhost'");
		grants.forEach((grant) -> sql.execute(grant.replace("shop_app", "'shop_app'@'localhost'")));
		session.destroy();
	}

	@Override
	DataSource user() {
		return new DriverManagerDataSource(this.server.url().replace("user=root", "user=shop_app&password=secret"));
	}

}
