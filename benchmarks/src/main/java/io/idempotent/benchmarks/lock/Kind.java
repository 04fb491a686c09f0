package io.idempotent.benchmarks.lock;

import java.io.IOException;

import io.idempotent.embedded.EmbeddedRedis;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.apache.curator.test.TestingServer;

/**
 * A kind of server that locks stand on.
 */
enum Kind {

	/** One Redis; the address is its port. */
	REDIS("Redis"),

	/** One ZooKeeper; the address is its connect string. */
	ZOOKEEPER("ZooKeeper"),

	/** One PostgreSQL; the address is its URL. */
	JDBC("PostgreSQL"),

	/** No server. */
	LOCAL("memory");

	private final String title;

	Kind(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	Server start() throws Exception {
		return switch (this) {
			case REDIS -> {
				EmbeddedRedis redis = EmbeddedRedis.start();
				yield new Server(String.valueOf(redis.port()), redis::close);
			}
			case ZOOKEEPER -> {
				TestingServer zooKeeper = new TestingServer();
				yield new Server(zooKeeper.getConnectString(), zooKeeper);
			}
			case JDBC -> startPostgres();
			case LOCAL -> new Server("", () -> {
			});
		};
	}

	private static Server startPostgres() throws IOException {
		EmbeddedPostgres postgres = EmbeddedPostgres.builder()
			// What PostgreSQL does by default, and the builder does not.
			.setServerConfig("synchronous_commit", "on")
			.start();
		String url = postgres.getJdbcUrl("postgres", "postgres");
		JdbcRivals.createTables(url);
		return new Server(url, postgres);
	}

	Rivals connect(String address) throws Exception {
		return switch (this) {
			case REDIS -> new RedisRivals(Integer.parseInt(address));
			case ZOOKEEPER -> new ZooKeeperRivals(address);
			case JDBC -> new JdbcRivals(address);
			case LOCAL -> new LocalRivals();
		};
	}

}
