package io.idempotent.lock.switching.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.switching.CircuitBreakerHealth;
import io.idempotent.lock.switching.EngineSwitching;
import io.idempotent.lock.switching.SwitchingLockEngine;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for switching between lock engines. Its properties are validated
 * even if it is not enabled.
 */
@AutoConfiguration(after = LockAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(LockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "idempotent.enabled", "idempotent.lock.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(LockSwitchingProperties.class)
public final class LockSwitchingAutoConfiguration {

	@Bean("io.idempotent.lockSwitching")
	SwitchableEngines lockSwitching(LockSwitchingProperties properties, ObjectProvider<LockEngine> engines,
			ObjectProvider<CircuitBreakerHealth> health) {
		return new SwitchableEngines(properties, engines, health);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CircuitBreaker.class)
	@ConditionalOnBooleanProperty("idempotent.lock.switching.automatic")
	static class AutomaticConfiguration {

		@Bean("io.idempotent.lockEngineHealth")
		CircuitBreakerHealth lockEngineHealth(LockSwitchingProperties properties) {
			return new CircuitBreakerHealth(properties.recoveryTime());
		}

	}

	/** Without locks of the application's own, which are not switched. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("idempotent.lock.switching.enabled")
	@ConditionalOnBean(EngineDistributedLocks.class)
	static class EnabledConfiguration {

		/** A provider, since a bean that depends on locks would need their tables. */
		@Bean("io.idempotent.lockEngineSwitching")
		EngineSwitching lockEngineSwitching(ObjectProvider<EngineDistributedLocks> provider) {
			EngineDistributedLocks locks = provider.getObject();
			return new EngineSwitching(locks, ((SwitchingLockEngine) locks.selection().inForce()).epochs());
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(MeterRegistry.class)
		@ConditionalOnBean(MeterRegistry.class)
		static class MetricsConfiguration {

			@Bean("io.idempotent.lockSwitchMetrics")
			SwitchMetrics lockSwitchMetrics(ObjectProvider<EngineSwitching> switching) {
				return new SwitchMetrics(switching::getObject);
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(SwitchControl.class)
		static class AdministrationConfiguration {

			@Bean("io.idempotent.lockSwitchControl")
			SwitchControl lockSwitchControl(EngineSwitching switching) {
				return new OperatorSwitchControl(switching);
			}

		}

	}

}
