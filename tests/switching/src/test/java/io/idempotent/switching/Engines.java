package io.idempotent.switching;

import java.time.Duration;
import java.util.Locale;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.redis.RedisLockEngine;
import io.idempotent.lock.redis.RedissonLockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The engines of a node, each on the port where it reaches the server.
 */
enum Engines {

	REDISSON {
		@Override
		LockEngine connect(int port, int connections) {
			Config config = new Config().setCodec(StringCodec.INSTANCE).setLazyInitialization(true);
			config.useSingleServer()
				.setAddress("redis://127.0.0.1:" + port)
				.setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(connections)
				.setConnectTimeout(TIMEOUT_MILLIS)
				.setTimeout(TIMEOUT_MILLIS)
				.setRetryAttempts(1);
			RedissonClient redisson = Redisson.create(config);
			return new RedissonLockEngine(() -> redisson, "");
		}
	},

	/** On the server of {@link #REDISSON}, whose locks it shares. */
	REDIS {
		@Override
		LockEngine connect(int port, int connections) {
			Duration timeout = Duration.ofMillis(TIMEOUT_MILLIS);
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", port),
					LettuceClientConfiguration.builder()
						.commandTimeout(timeout)
						.clientOptions(ClientOptions.builder()
							.socketOptions(SocketOptions.builder().connectTimeout(timeout).build())
							.build())
						.build());
			factory.afterPropertiesSet();
			return new RedisLockEngine(factory, "");
		}
	},

	ZOOKEEPER {
		@Override
		LockEngine connect(int port, int connections) {
			return ZooKeeperLockEngine.connect(CuratorFrameworkFactory.builder()
				.connectString("127.0.0.1:" + port)
				.sessionTimeoutMs((int) LEASE.toMillis())
				.connectionTimeoutMs(TIMEOUT_MILLIS)
				.retryPolicy(new ExponentialBackoffRetry(100, 1)), null, "/locks", "");
		}
	},

	JDBC {
		@Override
		LockEngine connect(int port, int connections) {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(
					"jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&connectTimeout=1&socketTimeout=2");
			config.setMaximumPoolSize(connections);
			config.setMinimumIdle(1);
			config.setConnectionTimeout(TIMEOUT_MILLIS);
			config.setValidationTimeout(TIMEOUT_MILLIS);
			config.setInitializationFailTimeout(-1);
			// Otherwise the pool never gives a connection, if the first one breaks while
			// HikariCP asks for its level.
			config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
			return new JdbcLockEngine(new HikariDataSource(config), JdbcLockEngine.DEFAULT_TABLE, Duration.ofSeconds(1),
					"");
		}
	};

	/** The lease of a lock. */
	static final Duration LEASE = Duration.ofSeconds(1);

	private static final int TIMEOUT_MILLIS = 500;

	/**
	 * Creates the engine, whether or not the server can be reached now.
	 * @param port where the server is reached
	 * @param connections how many connections are used at most
	 * @return the engine
	 */
	abstract LockEngine connect(int port, int connections);

	String engine() {
		return name().toLowerCase(Locale.ROOT);
	}

}
