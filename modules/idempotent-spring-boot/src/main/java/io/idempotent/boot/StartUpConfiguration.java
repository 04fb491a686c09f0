package io.idempotent.boot;

import javax.sql.DataSource;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.start.AnnotationChecks;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.webmvc.internal.HttpIdempotency;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Checks the application when it starts, and logs how idempotency is configured.
 */
@Configuration(proxyBeanMethods = false)
class StartUpConfiguration {

	@Bean
	StartUpLine idempotencyStartUpLine(IdempotentProperties properties, Environment environment,
			ObjectProvider<StartUpLine.Detail> details) {
		return new StartUpLine(properties, environment, details);
	}

	@Bean
	@Order(1)
	StartUpLine.Detail idempotencyStoreDetail(ObjectProvider<IdempotencyStore> store,
			ObjectProvider<OutcomeCache> cache) {
		return () -> store.stream()
			.findFirst()
			.map((bean) -> "records in " + bean.getClass().getSimpleName()
					+ (cache.stream().findAny().isPresent() ? ", with a near cache" : ", without a near cache"))
			.orElse("no store");
	}

	@Bean
	@Order(2)
	StartUpLine.Detail idempotencyReceiptDetail(ObjectProvider<Receipts> receipts) {
		return () -> receipts.stream().findAny().isPresent() ? "receipts in the application's database" : "no receipts";
	}

	@Bean
	@Conditional(WithoutSpringMvc.class)
	SmartInitializingSingleton idempotencyUnservedAnnotationCheck(ConfigurableListableBeanFactory beans) {
		return () -> AnnotationChecks.requireSpringMvc(beans);
	}

	/**
	 * Not in a test slice, which includes no locks.
	 */
	@Bean
	@ConditionalOnMissingBean(TestSliceAutoConfiguration.class)
	SmartInitializingSingleton idempotencyExcludedAutoConfigurationCheck(ConfigurableListableBeanFactory beans,
			Environment environment) {
		return () -> AnnotationChecks.requireAutoConfigurations(beans,
				environment.getProperty("idempotent.lock.enabled", Boolean.class, true));
	}

	/**
	 * Not in a test slice, which has no database.
	 */
	@Bean
	@ConditionalOnBooleanProperty("idempotent.guard.enabled")
	@ConditionalOnMissingBean(TestSliceAutoConfiguration.class)
	SmartInitializingSingleton idempotencyGuardedDatabaseCheck(ObjectProvider<DataSource> dataSources,
			ObjectProvider<Receipts> receipts, Environment environment) {
		boolean receiptsRequired = receipts.stream().findAny().isEmpty()
				&& environment.getProperty("idempotent.guard.receipt.enabled", Boolean.class, true);
		return () -> GuardedDatabase.requireUsable(dataSources, receiptsRequired);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DistributedLocks.class)
	static class LockDetailConfiguration {

		@Bean
		@Order(3)
		StartUpLine.Detail idempotencyLockDetail(ObjectProvider<DistributedLocks> locks) {
			return () -> locks.stream()
				.map((known) -> "locks by " + known.currentEngine())
				.findFirst()
				.orElse("no locks");
		}

	}

	/**
	 * Matches if {@link IdempotencyWebMvcAutoConfiguration} does not apply.
	 */
	static final class WithoutSpringMvc extends NoneNestedConditions {

		WithoutSpringMvc() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
		static class SpringMvc {

		}

	}

}
