package io.idempotent.boot.lock;

import java.time.Duration;

import javax.sql.DataSource;

import io.idempotent.boot.InvalidConfigurationException;
import io.idempotent.boot.JdbcSchema;
import io.idempotent.boot.RequiredTable;
import io.idempotent.boot.lock.LockProperties.Jdbc;
import io.idempotent.boot.lock.LockProperties.ZooKeeper;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.jdbc.TransactionLockEngine;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.lock.redisson.RedissonLockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/**
 * One configuration for each lock engine.
 */
final class LockEngineConfigurations {

	private LockEngineConfigurations() {
	}

	private static SmartInitializingSingleton requireTable(DataSource dataSource, String property, String name,
			String usualName) {
		RequiredTable table = new RequiredTable(property, name, usualName, "no lock can be taken", JdbcLockEngine.class,
				"idempotent.lock.jdbc.initialize-schema");
		return () -> table.requireIn(dataSource);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RedissonLockEngine.class, RedissonClient.class })
	@ConditionalOnBean(RedissonClient.class)
	@ConditionalOnLockEngine(value = "redisson", byDefault = true)
	static class Redisson {

		@Bean
		@ConditionalOnMissingBean(name = "redissonLockEngine")
		LockEngine redissonLockEngine(ObjectProvider<RedissonClient> client, LockProperties properties) {
			String keyPrefix = properties.redisson().keyPrefix();
			try {
				return new RedissonLockEngine(client::getObject, keyPrefix);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidConfigurationException("idempotent.lock.redisson.key-prefix", keyPrefix,
						"no key can begin like that", String.valueOf(ex.getMessage()));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ZooKeeperLockEngine.class, InterProcessMutex.class })
	@ConditionalOnBean(CuratorFramework.class)
	@ConditionalOnLockEngine("zookeeper")
	static class ZooKeeperOfTheApplication {

		@Bean
		@ConditionalOnMissingBean(name = "zookeeperLockEngine")
		LockEngine zookeeperLockEngine(CuratorFramework client, LockProperties properties) {
			return new ZooKeeperLockEngine(client, properties.zookeeper().basePath());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ZooKeeperLockEngine.class, InterProcessMutex.class })
	@ConditionalOnMissingBean(CuratorFramework.class)
	@ConditionalOnProperty("idempotent.lock.zookeeper.connect-string")
	@ConditionalOnLockEngine("zookeeper")
	static class ZooKeeperOfOurOwn {

		private static final int RETRIES = 3;

		private static final Duration RETRY_DELAY = Duration.ofMillis(100);

		@Bean
		@ConditionalOnMissingBean(name = "zookeeperLockEngine")
		LockEngine zookeeperLockEngine(LockProperties properties) {
			ZooKeeper zookeeper = properties.zookeeper();
			return ZooKeeperLockEngine
				.connect(new ZooKeeperLockEngine.Settings(String.valueOf(zookeeper.connectString()),
						zookeeper.sessionTimeout(), zookeeper.connectionTimeout(), RETRIES, RETRY_DELAY,
						StringUtils.hasText(zookeeper.namespace()) ? zookeeper.namespace() : null, zookeeper.auth(),
						zookeeper.basePath()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ JdbcLockEngine.class, DataSourceScriptDatabaseInitializer.class })
	@ConditionalOnBean(DataSource.class)
	@ConditionalOnLockEngine("jdbc")
	static class JdbcLeases {

		@Bean
		@Conditional(SchemaWanted.class)
		@ConditionalOnMissingBean(name = "jdbcLockSchemaInitializer")
		DataSourceScriptDatabaseInitializer jdbcLockSchemaInitializer(@LockDataSource ObjectProvider<DataSource> own,
				ObjectProvider<DataSource> dataSource, LockProperties properties) {
			return JdbcSchema.initializer(own.getIfAvailable(dataSource::getObject),
					properties.jdbc().initializeSchema(), JdbcLockEngine.class);
		}

		/** The engine, unless the application has its own. */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(name = "jdbcLockEngine")
		static class Engine {

			@Bean
			@DependsOnDatabaseInitialization
			LockEngine jdbcLockEngine(@LockDataSource ObjectProvider<DataSource> own,
					ObjectProvider<DataSource> dataSource, LockProperties properties) {
				Jdbc jdbc = properties.jdbc();
				return new JdbcLockEngine(own.getIfAvailable(dataSource::getObject), jdbc.table(), jdbc.queryTimeout());
			}

			@Bean
			@DependsOnDatabaseInitialization
			SmartInitializingSingleton jdbcLockTableCheck(@LockDataSource ObjectProvider<DataSource> own,
					ObjectProvider<DataSource> dataSource, LockProperties properties) {
				return requireTable(own.getIfAvailable(dataSource::getObject), "idempotent.lock.jdbc.table",
						properties.jdbc().table(), "idempotent_lock");
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ JdbcLockEngine.class, DataSourceScriptDatabaseInitializer.class })
	@ConditionalOnBean(DataSource.class)
	@ConditionalOnLockEngine("jdbc-transaction")
	static class JdbcTransactions {

		@Bean
		@Conditional(SchemaWanted.class)
		@ConditionalOnMissingBean(name = "transactionLockSchemaInitializer")
		DataSourceScriptDatabaseInitializer transactionLockSchemaInitializer(DataSource dataSource,
				LockProperties properties) {
			return JdbcSchema.initializer(dataSource, properties.jdbc().initializeSchema(),
					TransactionLockEngine.class);
		}

		/** The engine, unless the application has its own. */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(name = "transactionLockEngine")
		static class Engine {

			@Bean
			@DependsOnDatabaseInitialization
			LockEngine transactionLockEngine(DataSource dataSource, LockProperties properties) {
				Jdbc jdbc = properties.jdbc();
				return new TransactionLockEngine(dataSource, jdbc.transactionTable(), jdbc.queryTimeout());
			}

			@Bean
			@DependsOnDatabaseInitialization
			SmartInitializingSingleton transactionLockTableCheck(DataSource dataSource, LockProperties properties) {
				return requireTable(dataSource, "idempotent.lock.jdbc.transaction-table",
						properties.jdbc().transactionTable(), "idempotent_transaction_lock");
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnLockEngine("local")
	static class Local {

		@Bean
		@ConditionalOnMissingBean(name = "localLockEngine")
		LockEngine localLockEngine() {
			return new LocalLockEngine();
		}

	}

	/**
	 * Matches unless nobody wants the tables of locks to be created.
	 */
	static final class SchemaWanted extends NoneNestedConditions {

		SchemaWanted() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "idempotent.lock.jdbc.initialize-schema", havingValue = "never")
		static class Never {

		}

	}

}
