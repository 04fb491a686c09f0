package io.idempotent.boot;

import java.time.Duration;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.internal.properties.GuardProperties;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.boot.internal.store.JdbcSchema;
import io.idempotent.boot.internal.store.RequiredTable;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.fence.FenceRaiser;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.RecordEncryption;
import io.idempotent.submission.receipt.Receipts;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for fences and receipts in the application's database.
 */
@AutoConfiguration(before = IdempotencyAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("idempotent.guard.enabled")
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(GuardProperties.class)
public final class GuardAutoConfiguration {

	@Bean("io.idempotent.guardedDatabase")
	GuardedDatabase guardedDatabase(ListableBeanFactory beans, GuardProperties properties) {
		return GuardedDatabase.choose(beans, properties.dataSource());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(FenceGuard.class)
	static class FenceConfiguration {

		@Bean("io.idempotent.fenceRaiser")
		@ConditionalOnMissingBean
		FenceRaiser fenceRaiser(FenceGuard guard) {
			return new FenceRaiser(guard);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(FenceGuard.class)
		static class FenceTableConfiguration {

			@Bean("io.idempotent.fenceGuard")
			@DependsOnDatabaseInitialization
			FenceGuard fenceGuard(GuardedDatabase database, GuardProperties properties, Environment environment) {
				JdbcSchema.create(database.dataSource(), FenceGuard.class, environment);
				return new FenceGuard(database.dataSource(), properties.fenceTable());
			}

			/** An application without fenced methods may omit the table. */
			@Bean("io.idempotent.fenceTables")
			RequiredTables fenceTables(FenceGuard guard, GuardedDatabase database, GuardProperties properties,
					ConfigurableListableBeanFactory beans) {
				return () -> Stream
					.of(new RequiredTable(database.dataSource(), "idempotent.guard.fence-table",
							properties.fenceTable(), "idempotent_fence",
							"no method with @DistributedLocked(fenced = true) can run", guard.getClass(), null))
					.filter((table) -> BeanMethods.areFenced(beans));
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReceiptGuard.class)
	static class ReceiptConfiguration {

		private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

		@Bean("io.idempotent.receiptRegistrar")
		@ConditionalOnBean(ReceiptGuard.class)
		@ConditionalOnMissingBean
		ReceiptRegistrar receiptRegistrar(ReceiptGuard guard) {
			return new ReceiptRegistrar(guard);
		}

		/** No bean needs the purge, so lazy initialization would never start it. */
		@Bean("io.idempotent.receiptPurge")
		@ConditionalOnBean(ReceiptGuard.class)
		@Lazy(false)
		GuardPurge receiptPurge(ReceiptGuard guard) {
			return new GuardPurge("receipt", guard::purge, PURGE_INTERVAL);
		}

		@Bean("io.idempotent.idempotencyStore")
		@ConditionalOnBean(ReceiptGuard.class)
		@ConditionalOnMissingBean(IdempotencyStore.class)
		@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "receipt")
		IdempotencyStore idempotencyStore(ReceiptGuard guard) {
			return guard.store();
		}

		/** Registered first as a nested class, so the conditions above see it. */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(Receipts.class)
		@ConditionalOnBooleanProperty(name = "idempotent.guard.receipt.enabled", matchIfMissing = true)
		static class ReceiptTableConfiguration {

			@Bean("io.idempotent.receiptGuard")
			@DependsOnDatabaseInitialization
			ReceiptGuard receiptGuard(GuardedDatabase database, GuardProperties properties, Environment environment,
					ObjectProvider<RecordEncryption> encryption) {
				JdbcSchema.create(database.dataSource(), ReceiptGuard.class, environment);
				GuardProperties.Receipt receipt = properties.receipt();
				return new ReceiptGuard(database.dataSource(), receipt.table(), receipt.retention(),
						JdbcSchema.QUERY_TIMEOUT, encryption.getIfAvailable(() -> RecordEncryption.NONE));
			}

			@Bean("io.idempotent.receiptTables")
			RequiredTables receiptTables(ReceiptGuard guard, GuardedDatabase database, GuardProperties properties) {
				return () -> Stream.of(new RequiredTable(database.dataSource(), "idempotent.guard.receipt.table",
						properties.receipt().table(), "idempotent_receipt",
						"every operation that writes to this database fails", guard.getClass(), null));
			}

		}

	}

}
