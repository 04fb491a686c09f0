package io.idempotent.programs;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.testing.TestPostgres;

/**
 * The databases of one world. A thread that waits for itself is told so after a moment.
 *
 * @param guarded the pool of the guarded database
 * @param other the pool of the one that is not
 */
record Databases(HikariDataSource guarded, HikariDataSource other) {

	private static final int CONNECTIONS = 16;

	static Databases h2() {
		return new Databases(pool(h2Url(), "sa", null), pool(h2Url(), "sa", null));
	}

	private static String h2Url() {
		return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=150";
	}

	/** New databases of a server. */
	static Databases postgres() {
		return new Databases(postgresPool(), postgresPool());
	}

	private static HikariDataSource postgresPool() {
		return pool(TestPostgres.newDatabase(), "postgres", "set lock_timeout = 500; set synchronous_commit = off");
	}

	private static HikariDataSource pool(String url, String user, String init) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername(user);
		config.setPassword("");
		config.setMaximumPoolSize(CONNECTIONS);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(3000);
		if (init != null) {
			config.setConnectionInitSql(init);
		}
		return new HikariDataSource(config);
	}

}
