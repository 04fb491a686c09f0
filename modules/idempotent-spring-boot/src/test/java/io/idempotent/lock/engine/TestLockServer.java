package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.redisson.RedissonLockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.TestZooKeeper;
import org.postgresql.ds.PGSimpleDataSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A kind of real server of locks, and its clients, in this JVM and others.
 */
enum TestLockServer {

	REDIS {
		@Override
		Running start() {
			EmbeddedRedis server = EmbeddedRedis.start();
			return new Running(this, "redis://" + server.host() + ":" + server.port(), server::close);
		}

		@Override
		Client connect(String address) {
			Config config = new Config().setCodec(StringCodec.INSTANCE);
			config.useSingleServer().setAddress(address).setConnectionMinimumIdleSize(1);
			RedissonClient redisson = Redisson.create(config);
			return new Client(new RedissonLockEngine(() -> redisson), redisson::shutdown);
		}
	},

	ZOOKEEPER {
		@Override
		Running start() {
			TestZooKeeper server = TestZooKeeper.start();
			return new Running(this, server.connectString(), server::close);
		}

		@Override
		Client connect(String address) {
			LockEngine engine = ZooKeeperLockEngine.connect(new ZooKeeperLockEngine.Settings(address, LEASE,
					Duration.ofSeconds(20), 3, Duration.ofMillis(100), null, "/locks"), "");
			return new Client(engine, () -> {
			});
		}
	},

	POSTGRESQL {
		@Override
		Running start() {
			TestPostgres server = TestPostgres.start();
			DatabasePopulatorUtils.execute(
					new ResourceDatabasePopulator(
							new ClassPathResource("io/idempotent/lock/jdbc/schema-postgresql.sql")),
					server.dataSource());
			return new Running(this, server.url(), server::close);
		}

		@Override
		Client connect(String address) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(address);
			return new Client(new JdbcLockEngine(dataSource), () -> {
			});
		}
	};

	/** Short, but longer than a busy machine keeps a renewal waiting. */
	static final Duration LEASE = Duration.ofSeconds(2);

	abstract Running start();

	/**
	 * Connects to a server of this kind.
	 * @param address what the server said of itself, perhaps to another JVM
	 * @return the client
	 */
	abstract Client connect(String address);

	/**
	 * A server.
	 */
	record Running(TestLockServer kind, String address, Runnable end) implements AutoCloseable {

		Client connect() {
			return this.kind.connect(this.address);
		}

		@Override
		public void close() {
			this.end.run();
		}

	}

	/**
	 * A client of a server.
	 */
	record Client(LockEngine engine, Runnable end) implements AutoCloseable {

		@Override
		public void close() {
			this.engine.close();
			this.end.run();
		}

	}

}
