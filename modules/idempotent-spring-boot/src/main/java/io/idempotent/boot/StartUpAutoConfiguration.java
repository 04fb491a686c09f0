package io.idempotent.boot;

import java.util.List;

import javax.sql.DataSource;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.start.AnnotationChecks;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configuration of checks and a log line at startup. It has no condition: the
 * switches of this library are checked even if everything else is off. Its checks run
 * before those of operations, whose failures could be mere consequences. It is no part of
 * test slices, which lack locks and databases.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class,
		before = { IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class })
public final class StartUpAutoConfiguration {

	@Bean("io.idempotent.idempotencyStrictBinding")
	static StrictBinding idempotencyStrictBinding(ConfigurableListableBeanFactory beans) {
		return new StrictBinding(beans.getBeanClassLoader());
	}

	@Bean("io.idempotent.idempotencySwitches")
	static SwitchAssertions idempotencySwitches(Environment environment) {
		return new SwitchAssertions(environment);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyGate.class)
	@ConditionalOnBean(IdempotencyGate.class)
	@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
	static class CheckConfiguration {

		@Bean("io.idempotent.idempotencyStartUpLine")
		StartUpLine idempotencyStartUpLine(IdempotentProperties properties, Environment environment,
				ObjectProvider<StartUpLine.Detail> details) {
			return new StartUpLine(properties, environment, details);
		}

		@Bean("io.idempotent.idempotencyStoreDetail")
		@Order(1)
		StartUpLine.Detail idempotencyStoreDetail(ObjectProvider<IdempotencyStore> store,
				ObjectProvider<OutcomeCache> cache) {
			return () -> store.stream()
				.findFirst()
				.map((bean) -> "records in " + bean.getClass().getSimpleName()
						+ (cache.stream().findAny().isPresent() ? ", with a near cache" : ", without a near cache"))
				.orElse("no store");
		}

		@Bean("io.idempotent.idempotencyReceiptDetail")
		@Order(2)
		StartUpLine.Detail idempotencyReceiptDetail(ObjectProvider<Receipts> receipts) {
			return () -> receipts.stream().findAny().isPresent() ? "receipts in the application's database"
					: "no receipts";
		}

		@Bean("io.idempotent.idempotencyUnservedAnnotationCheck")
		@Conditional(WithoutSpringMvc.class)
		SmartInitializingSingleton idempotencyUnservedAnnotationCheck(ConfigurableListableBeanFactory beans) {
			return () -> AnnotationChecks.requireSpringMvc(beans);
		}

		@Bean("io.idempotent.idempotencyExcludedAutoConfigurationCheck")
		SmartInitializingSingleton idempotencyExcludedAutoConfigurationCheck(ConfigurableListableBeanFactory beans,
				Environment environment) {
			return () -> AnnotationChecks.requireAutoConfigurations(beans,
					environment.getProperty("idempotent.lock.enabled", Boolean.class, true));
		}

		@Bean("io.idempotent.idempotencyGuardedDatabaseCheck")
		@ConditionalOnBooleanProperty("idempotent.guard.enabled")
		SmartInitializingSingleton idempotencyGuardedDatabaseCheck(ObjectProvider<DataSource> dataSources,
				ObjectProvider<Receipts> receipts, Environment environment) {
			boolean receiptsRequired = receipts.stream().findAny().isEmpty()
					&& environment.getProperty("idempotent.guard.receipt.enabled", Boolean.class, true);
			return () -> GuardedDatabase.requireUsable(dataSources, receiptsRequired);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(DistributedLocks.class)
		static class LockDetailConfiguration {

			@Bean("io.idempotent.idempotencyLockDetail")
			@Order(3)
			StartUpLine.Detail idempotencyLockDetail(ObjectProvider<DistributedLocks> locks) {
				return () -> locks.stream()
					.map((known) -> "locks by " + known.currentEngine())
					.findFirst()
					.orElse("no locks");
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
	static class TableConfiguration {

		@Bean("io.idempotent.idempotencyTableCheck")
		@DependsOnDatabaseInitialization
		RequiredTables.Check idempotencyTableCheck(ObjectProvider<RequiredTables> tables) {
			return new RequiredTables.Check(tables);
		}

	}

	/** Matches if {@link IdempotencyWebMvcAutoConfiguration} does not apply. */
	static final class WithoutSpringMvc extends NoneNestedConditions {

		WithoutSpringMvc() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
		static class SpringMvc {

		}

	}

	/**
	 * Rejects a Boolean property that is neither true nor false: conditions read the raw
	 * text, and take everything except "true" for off. Warns if the whole library is off.
	 */
	static final class SwitchAssertions implements BeanFactoryPostProcessor, PriorityOrdered {

		private static final Log logger = LogFactory.getLog(SwitchAssertions.class);

		private static final String ALL = "idempotent.enabled";

		/** The Boolean properties that conditions read. */
		private static final List<String> NAMES = List.of(ALL, "idempotent.guard.enabled",
				"idempotent.guard.receipt.enabled", "idempotent.lock.enabled", "idempotent.lock.rollback-on-loss",
				"idempotent.lock.switching.automatic", "idempotent.lock.switching.enabled",
				"idempotent.store.near-cache.enabled", "idempotent.token.enabled");

		private final Environment environment;

		SwitchAssertions(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
			NAMES.forEach(this::requireBoolean);
			if ("false".equalsIgnoreCase(this.environment.getProperty(ALL))) {
				logger.warn(ALL
						+ "=false: the whole library is off. Methods with @ApiIdempotent and @Idempotent run on "
						+ "each submission, methods with @DistributedLocked run without their locks, nothing raises or "
						+ "checks a fence or keeps a receipt, and there are no beans such as IdempotencyTemplate, "
						+ "DistributedLocks and FenceGuard");
			}
		}

		private void requireBoolean(String name) {
			String value = this.environment.getProperty(name);
			PropertyAssertions.that(value == null || value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"),
					name, String.valueOf(value), "it is neither true nor false",
					"Write " + name + "=true or " + name + "=false");
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
