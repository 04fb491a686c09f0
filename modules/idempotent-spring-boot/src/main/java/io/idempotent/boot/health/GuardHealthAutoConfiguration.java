package io.idempotent.boot.health;

import java.util.List;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.store.OperationKey;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the guards in the application's database.
 */
@AutoConfiguration(after = GuardAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("idempotent.guard.enabled")
@ConditionalOnEnabledHealthIndicator("idempotent-guard")
public final class GuardHealthAutoConfiguration {

	/**
	 * Nested classes are registered first, so that the condition sees their checks.
	 */
	@Bean
	@ConditionalOnBean(IdempotentGuardHealthIndicator.Check.class)
	@ConditionalOnMissingBean(name = "idempotentGuardHealthIndicator")
	HealthIndicator idempotentGuardHealthIndicator(ObjectProvider<IdempotentGuardHealthIndicator.Check> checks) {
		return new IdempotentGuardHealthIndicator(checks.orderedStream().toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Receipts.class)
	@ConditionalOnBean(Receipts.class)
	static class ReceiptCheckConfiguration {

		@Bean
		@Order(1)
		IdempotentGuardHealthIndicator.Check receiptHealthCheck(Receipts receipts, Environment environment) {
			OperationKey key = OperationKey.of(Namespace.in(environment), "idempotent-health", List.of(), "");
			return new IdempotentGuardHealthIndicator.Check("receipts", () -> receipts.find(key));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(FenceGuard.class)
	@ConditionalOnBean(FenceGuard.class)
	static class FenceCheckConfiguration {

		/**
		 * An application without fenced methods may omit the table.
		 */
		@Bean
		@Order(2)
		IdempotentGuardHealthIndicator.Check fenceHealthCheck(FenceGuard guard, ConfigurableListableBeanFactory beans) {
			SingletonSupplier<Boolean> needed = SingletonSupplier.of(() -> BeanMethods.areFenced(beans));
			return new IdempotentGuardHealthIndicator.Check("fences", () -> {
				if (needed.obtain()) {
					guard.check();
				}
			});
		}

	}

}
