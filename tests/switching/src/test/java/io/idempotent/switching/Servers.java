package io.idempotent.switching;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.TestZooKeeper;

/**
 * A real server for each engine.
 */
final class Servers implements AutoCloseable {

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final TestZooKeeper zooKeeper = TestZooKeeper.start();

	private final TestPostgres postgres = TestPostgres.start();

	Servers() {
		Schemas.create(this.postgres.dataSource(), "postgresql", "lock/jdbc");
	}

	int port(Engines engine) {
		return switch (engine) {
			case REDISSON, REDIS -> this.redis.port();
			case ZOOKEEPER -> this.zooKeeper.port();
			case JDBC -> this.postgres.port();
		};
	}

	/**
	 * Stops a server. Redis forgets its locks then, so that it must be away for longer
	 * than their leases.
	 * @param engine whose server
	 */
	void stop(Engines engine) {
		switch (engine) {
			case REDISSON, REDIS -> this.redis.stop();
			case ZOOKEEPER -> this.zooKeeper.stop();
			case JDBC -> this.postgres.kill();
		}
	}

	void restart(Engines engine) {
		switch (engine) {
			case REDISSON, REDIS -> this.redis.restart();
			case ZOOKEEPER -> this.zooKeeper.restart();
			case JDBC -> this.postgres.restart();
		}
	}

	@Override
	public void close() {
		this.redis.close();
		this.zooKeeper.close();
		this.postgres.close();
	}

}
