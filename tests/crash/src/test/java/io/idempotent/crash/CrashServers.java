package io.idempotent.crash;

import java.util.List;

import io.idempotent.crash.CrashApplication.CrashStore;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The servers that live on, whatever becomes of the processes that use them.
 */
final class CrashServers implements AutoCloseable {

	/** Most requests that stand still in a transaction, and some more. */
	private static final int CONNECTIONS = 4 * Treatment.values().length + 10;

	private static final String EFFECTS = """
			create table effect (
				number bigint generated always as identity primary key,
				operation varchar(255) not null,
				process bigint not null
			)""";

	private final TestPostgres postgres = TestPostgres.start();

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final TestDatabase database = TestDatabase.postgresql(this.postgres.url());

	CrashServers() {
		Schemas.create(this.database.dataSource(), "postgresql", "lock/fence", "jdbc/receipt");
		database().sql(EFFECTS).update();
	}

	JdbcClient database() {
		return JdbcClient.create(this.database.dataSource());
	}

	/**
	 * Where an application finds them.
	 * @param store where it keeps its records
	 * @return its arguments
	 */
	List<String> arguments(CrashStore store) {
		return List.of("--server.port=0", "--spring.main.banner-mode=off", "--crash.store=" + store,
				"--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
				"--spring.datasource.hikari.minimum-idle=1", "--spring.data.redis.host=" + this.redis.host(),
				"--spring.data.redis.port=" + this.redis.port(),
				"--spring.data.redis.timeout=" + CrashApplication.TIMEOUT, "--idempotent.defaults.lease=2s",
				"--logging.level.root=warn");
	}

	@Override
	public void close() {
		this.redis.close();
		this.postgres.close();
	}

}
