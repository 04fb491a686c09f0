package io.idempotent.autoconfigure;

import javax.sql.DataSource;

import io.idempotent.guard.FenceGuard;
import io.idempotent.guard.FenceRaiser;
import io.idempotent.guard.ReceiptGuard;
import io.idempotent.guard.ReceiptPurge;
import io.idempotent.guard.ReceiptRegistrar;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.store.Receipts;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for guards in the application's own database.
 */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("idempotent.guard.enabled")
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties({ GuardProperties.class, IdempotentProperties.class })
public final class GuardAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	FenceGuard fenceGuard(DataSource dataSource, GuardProperties properties) {
		return new FenceGuard(dataSource, properties.fenceTable());
	}

	@Bean
	@ConditionalOnMissingBean
	FenceRaiser fenceRaiser(FenceGuard guard) {
		return new FenceRaiser(guard);
	}

	@Bean
	@ConditionalOnBean(ReceiptGuard.class)
	@ConditionalOnMissingBean
	ReceiptRegistrar receiptRegistrar(ReceiptGuard guard) {
		return new ReceiptRegistrar(guard);
	}

	@Bean
	@ConditionalOnBean(ReceiptGuard.class)
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	ReceiptPurge receiptPurge(ReceiptGuard guard, GuardProperties properties, IdempotentProperties idempotent,
			Environment environment, ObjectProvider<DistributedLocks> locks) {
		String name = idempotent.namespaceIn(environment) + ":idempotent-receipt-purge";
		return new ReceiptPurge(guard, properties.receipt().purgeInterval(), () -> lock(locks, name));
	}

	private static @Nullable DistributedLock lock(ObjectProvider<DistributedLocks> locks, String name) {
		DistributedLocks known = locks.getIfAvailable();
		return (known != null) ? known.get(name) : null;
	}

	@Bean
	@Conditional(JdbcSchema.OfGuards.class)
	@ConditionalOnMissingBean(name = "guardSchemaInitializer")
	DataSourceScriptDatabaseInitializer guardSchemaInitializer(DataSource dataSource, GuardProperties properties) {
		return JdbcSchema.initializer(dataSource, FenceGuard.class, properties.initializeSchema());
	}

	/**
	 * Receipts in a table of ours.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(Receipts.class)
	@ConditionalOnBooleanProperty(name = "idempotent.guard.receipt.enabled", matchIfMissing = true)
	static class ReceiptConfiguration {

		@Bean
		ReceiptGuard receiptGuard(DataSource dataSource, GuardProperties properties) {
			GuardProperties.Receipt receipt = properties.receipt();
			return new ReceiptGuard(dataSource, receipt.table(), receipt.retention(), receipt.queryTimeout());
		}

		@Bean
		@DependsOnDatabaseInitialization
		SmartInitializingSingleton receiptTableCheck(DataSource dataSource, GuardProperties properties) {
			RequiredTable table = new RequiredTable("idempotent.guard.receipt.table", properties.receipt().table(),
					"idempotent_receipt", "every operation that writes to this database fails", ReceiptGuard.class,
					"idempotent.guard.initialize-schema");
			return () -> table.requireIn(dataSource);
		}

	}

}
