package io.idempotent.testing;

import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A database with all tables.
 *
 * @param platform whose schema file it takes
 * @param url where it is
 * @param user who may change it
 * @param timeZone sets the time zone of a session; has one parameter
 * @param shortLockTimeout lets a session wait for rows as shortly as possible
 */
public record TestDatabase(String platform, String url, String user, String timeZone, String shortLockTimeout) {

	public static TestDatabase h2() {
		return new TestDatabase("h2", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000", "sa",
				"set time zone '%s'", "set lock_timeout 50")
			.create();
	}

	public static TestDatabase postgresql(String url) {
		return new TestDatabase("postgresql", url, "postgres", "set time zone '%s'", "set lock_timeout = 50").create();
	}

	public static TestDatabase mariaDb(String url) {
		return ofMySqlFamily("mariadb", url);
	}

	public static TestDatabase mySql(String url) {
		return ofMySqlFamily("mysql", url);
	}

	private static TestDatabase ofMySqlFamily(String platform, String url) {
		return new TestDatabase(platform, url, "root", "set time_zone = '%s'", "set innodb_lock_wait_timeout = 1")
			.create();
	}

	private TestDatabase create() {
		Schemas.create(dataSource(), this.platform, "lock/jdbc", "jdbc/store");
		return this;
	}

	public TestDatabase at(String url) {
		return new TestDatabase(this.platform, url, this.user, this.timeZone, this.shortLockTimeout);
	}

	/**
	 * A new connection each time.
	 */
	public DataSource dataSource() {
		return new DriverManagerDataSource(this.url, this.user, "");
	}

	public JdbcTemplate sql() {
		return new JdbcTemplate(dataSource());
	}

	public HikariConfig config(int connections) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.url);
		config.setUsername(this.user);
		config.setPassword("");
		config.setMaximumPoolSize(connections);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(2000);
		return config;
	}

	public HikariDataSource pool(int connections) {
		return new HikariDataSource(config(connections));
	}

}
