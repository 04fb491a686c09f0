package io.idempotent.boot.lock;

import java.util.Arrays;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.store.JdbcSchema;
import io.idempotent.boot.internal.store.RequiredTable;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.jdbc.TransactionLockEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.ConfigurableEnvironment;

/** The lock engines {@code jdbc} and {@code jdbc-transaction}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ JdbcLockEngine.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnBean(DataSource.class)
class JdbcEngineConfiguration {

	private static RequiredTable table(DataSource dataSource, String property, String name, String defaultName,
			@Nullable String insteadOfRouting) {
		return new RequiredTable(dataSource, property, name, defaultName, "no lock can be taken", JdbcLockEngine.class,
				insteadOfRouting);
	}

	/**
	 * Whether the application uses locks, once all beans exist: by an annotation, or by a
	 * bean that depends on the API. An {@code ObjectProvider} is not found.
	 */
	private static boolean areLocksUsed(ConfigurableListableBeanFactory beans) {
		return BeanMethods.areLocked(beans) || Stream.of(DistributedLocks.class, LockTemplate.class)
			.flatMap((type) -> Arrays.stream(beans.getBeanNamesForType(type)))
			.flatMap((name) -> Arrays.stream(beans.getDependentBeans(name)))
			.anyMatch((name) -> !isConfiguredHere(beans, name));
	}

	/** Whether the bean comes from an auto-configuration of this module. */
	private static boolean isConfiguredHere(ConfigurableListableBeanFactory beans, String name) {
		if (!beans.containsBeanDefinition(name)) {
			return false;
		}
		BeanDefinition definition = beans.getBeanDefinition(name);
		String factory = definition.getFactoryBeanName();
		Class<?> configuration = (factory != null) ? beans.getType(factory) : null;
		return configuration != null && configuration.getName().startsWith("io.idempotent.boot.");
	}

	/** Locks as leases in a table. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnLockEngine("jdbc")
	@ConditionalOnMissingBean(name = "io.idempotent.jdbcLockEngine")
	static class Leases {

		@Bean("io.idempotent.jdbcLockEngine")
		@DependsOnDatabaseInitialization
		LockEngine jdbcLockEngine(@LockDataSource ObjectProvider<DataSource> lockDataSource,
				ObjectProvider<DataSource> dataSource, LockProperties properties, ConfigurableEnvironment environment) {
			DataSource database = lockDataSource.getIfAvailable(dataSource::getObject);
			JdbcSchema.create(database, JdbcLockEngine.class, environment);
			return new JdbcLockEngine(database, properties.jdbc().table(), JdbcSchema.QUERY_TIMEOUT,
					NodeName.in(environment));
		}

		/** The third table has shared entries. */
		@Bean("io.idempotent.jdbcLockTables")
		@DependsOn("io.idempotent.jdbcLockEngine")
		RequiredTables jdbcLockTables(@LockDataSource ObjectProvider<DataSource> lockDataSource,
				ObjectProvider<DataSource> dataSource, LockProperties properties,
				ObjectProvider<LockEnginesCustomizer> customizers, ConfigurableListableBeanFactory beans) {
			DataSource database = lockDataSource.getIfAvailable(dataSource::getObject);
			boolean entries = customizers.stream().anyMatch((each) -> each.writesEntryOf("jdbc", properties.engines()));
			return () -> Stream.of("", "_reader", "_epoch")
				.filter((table) -> entries || (!table.equals("_epoch") && areLocksUsed(beans)))
				.map((table) -> table(database, "idempotent.lock.jdbc.table", properties.jdbc().table() + table,
						"idempotent_lock" + table,
						"Give locks a DataSource of one database: a bean with @LockDataSource"));
		}

	}

	/** Locks as rows that a transaction locks. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnLockEngine("jdbc-transaction")
	@ConditionalOnMissingBean(name = "io.idempotent.transactionLockEngine")
	static class Transactions {

		@Bean("io.idempotent.transactionLockEngine")
		@DependsOnDatabaseInitialization
		LockEngine transactionLockEngine(DataSource dataSource, LockProperties properties,
				ConfigurableEnvironment environment) {
			JdbcSchema.create(dataSource, TransactionLockEngine.class, environment);
			return new TransactionLockEngine(dataSource, properties.jdbc().transactionTable(),
					JdbcSchema.QUERY_TIMEOUT);
		}

		@Bean("io.idempotent.transactionLockTables")
		@DependsOn("io.idempotent.transactionLockEngine")
		RequiredTables transactionLockTables(DataSource dataSource, LockProperties properties,
				ConfigurableListableBeanFactory beans) {
			return () -> Stream
				.of(table(dataSource, "idempotent.lock.jdbc.transaction-table", properties.jdbc().transactionTable(),
						"idempotent_transaction_lock", null))
				.filter((table) -> areLocksUsed(beans));
		}

	}

}
