package io.idempotent.testing;

import java.sql.SQLException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("mariadb")
class TestMariaDbTests {

	private static TestMariaDb mariaDb;

	@BeforeAll
	static void start() {
		mariaDb = TestMariaDb.start();
	}

	@AfterAll
	static void stop() {
		mariaDb.close();
	}

	@Test
	void aKilledServerKeepsAllThatItAcknowledged() {
		JdbcClient client = JdbcClient.create(mariaDb.dataSource());
		assertThat(client.sql("select version()").query(String.class).single()).contains("MariaDB");
		client.sql("create table kept (id int)").update();
		client.sql("insert into kept values (1)").update();
		mariaDb.kill();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> mariaDb.dataSource().getConnection().close());
		mariaDb.restart();
		assertThat(client.sql("select id from kept").query(Integer.class).single()).isEqualTo(1);
	}

}
