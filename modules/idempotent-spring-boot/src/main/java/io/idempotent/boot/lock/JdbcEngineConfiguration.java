package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.internal.store.JdbcSchema;
import io.idempotent.boot.internal.store.OnSchemaInitializationCondition;
import io.idempotent.boot.internal.store.RequiredTable;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.jdbc.TransactionLockEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The lock engines {@code jdbc} and {@code jdbc-transaction}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ JdbcLockEngine.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnBean(DataSource.class)
class JdbcEngineConfiguration {

	/** Each statement reads or writes one row by its key. */
	private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

	private static RequiredTable table(DataSource dataSource, String property, String name, String defaultName,
			@Nullable String insteadOfRouting) {
		return new RequiredTable(dataSource, property, name, defaultName, "no lock can be taken", JdbcLockEngine.class,
				"idempotent.lock.jdbc.initialize-schema", insteadOfRouting);
	}

	/** Locks as leases in a table. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnLockEngine("jdbc")
	static class Leases {

		@Bean("io.idempotent.jdbcLockSchemaInitializer")
		@Conditional(OnLockSchemaInitializationCondition.class)
		DataSourceScriptDatabaseInitializer jdbcLockSchemaInitializer(
				@LockDataSource ObjectProvider<DataSource> lockDataSource, ObjectProvider<DataSource> dataSource,
				JdbcLockProperties properties) {
			return JdbcSchema.initializer(lockDataSource.getIfAvailable(dataSource::getObject),
					properties.initializeSchema(), JdbcLockEngine.class);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(name = "io.idempotent.jdbcLockEngine")
		static class Engine {

			@Bean("io.idempotent.jdbcLockEngine")
			@DependsOnDatabaseInitialization
			LockEngine jdbcLockEngine(@LockDataSource ObjectProvider<DataSource> lockDataSource,
					ObjectProvider<DataSource> dataSource, JdbcLockProperties properties,
					ConfigurableEnvironment environment) {
				return new JdbcLockEngine(lockDataSource.getIfAvailable(dataSource::getObject), properties.table(),
						QUERY_TIMEOUT, NodeName.in(environment));
			}

			/** The third table has what nodes agree on, if this is their authority. */
			@Bean("io.idempotent.jdbcLockTables")
			RequiredTables jdbcLockTables(@LockDataSource ObjectProvider<DataSource> lockDataSource,
					ObjectProvider<DataSource> dataSource, JdbcLockProperties properties, LockProperties locks,
					ObjectProvider<LockSwitching> switching, ConfigurableListableBeanFactory beans) {
				DataSource database = lockDataSource.getIfAvailable(dataSource::getObject);
				LockSwitching switched = switching.getIfAvailable();
				boolean authority = switched != null && switched.authority(locks.engines()).equals("jdbc");
				return () -> Stream.of("", "_reader", "_epoch")
					.filter((table) -> table.equals("_epoch") ? authority
							: switched != null || LockUsage.isFoundIn(beans))
					.map((table) -> table(database, "idempotent.lock.jdbc.table", properties.table() + table,
							"idempotent_lock" + table,
							"Give locks a DataSource of one database: a bean with @LockDataSource"));
			}

		}

	}

	/** Locks as rows that a transaction locks. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnLockEngine("jdbc-transaction")
	static class Transactions {

		@Bean("io.idempotent.transactionLockSchemaInitializer")
		@Conditional(OnLockSchemaInitializationCondition.class)
		DataSourceScriptDatabaseInitializer transactionLockSchemaInitializer(DataSource dataSource,
				JdbcLockProperties properties) {
			return JdbcSchema.initializer(dataSource, properties.initializeSchema(), TransactionLockEngine.class);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(name = "io.idempotent.transactionLockEngine")
		static class Engine {

			@Bean("io.idempotent.transactionLockEngine")
			@DependsOnDatabaseInitialization
			LockEngine transactionLockEngine(DataSource dataSource, JdbcLockProperties properties) {
				return new TransactionLockEngine(dataSource, properties.transactionTable(), QUERY_TIMEOUT);
			}

			@Bean("io.idempotent.transactionLockTables")
			RequiredTables transactionLockTables(DataSource dataSource, JdbcLockProperties properties,
					ConfigurableListableBeanFactory beans) {
				return () -> Stream
					.of(table(dataSource, "idempotent.lock.jdbc.transaction-table", properties.transactionTable(),
							"idempotent_transaction_lock", null))
					.filter((table) -> LockUsage.isFoundIn(beans));
			}

		}

	}

	static final class OnLockSchemaInitializationCondition extends OnSchemaInitializationCondition {

		OnLockSchemaInitializationCondition() {
			super("Lock Schema", "idempotent.lock.jdbc.initialize-schema");
		}

	}

}
