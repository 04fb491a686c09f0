package io.idempotent.testing;

import java.sql.SQLException;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("slow")
class TestPostgresTests {

	private static TestPostgres postgres;

	@BeforeAll
	static void start() {
		postgres = TestPostgres.start();
	}

	@AfterAll
	static void stop() {
		postgres.close();
	}

	@Test
	void answersAtItsUrlAndItsDataSource() {
		assertThat(version(postgres.dataSource())).isEqualTo(version(new DriverManagerDataSource(postgres.url())))
			.startsWith("PostgreSQL");
	}

	@Test
	void aKilledServerKeepsAllThatItAcknowledged() throws SQLException {
		JdbcClient client = JdbcClient.create(postgres.dataSource());
		client.sql("create table kept (id int)").update();
		client.sql("insert into kept values (1)").update();
		postgres.kill();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> postgres.dataSource().getConnection().close());
		postgres.restart();
		assertThat(client.sql("select id from kept").query(Integer.class).single()).isEqualTo(1);
	}

	private static String version(DataSource source) {
		return JdbcClient.create(source).sql("select version()").query(String.class).single();
	}

}
