package io.idempotent.metrics.autoconfigure;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for the meters of idempotent operations and of locks.
 */
@AutoConfiguration(
		after = { IdempotencyAutoConfiguration.class, GuardAutoConfiguration.class, LockAutoConfiguration.class },
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class IdempotencyMetricsAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyGate.class)
	@ConditionalOnBean(IdempotencyGate.class)
	static class OperationMetricsConfiguration {

		@Bean("io.idempotent.idempotencyGateMetrics")
		GateMetrics idempotencyGateMetrics(ObjectProvider<IdempotencyGate> gate, ObjectProvider<Receipts> receipts,
				MeterRegistry registry) {
			return new GateMetrics(gate::getObject, receipts.stream().findAny().isPresent(), registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EngineDistributedLocks.class)
	@ConditionalOnBean(DistributedLocks.class)
	static class LockMetricsConfiguration {

		@Bean("io.idempotent.lockGroupLimit")
		static LockMetrics.GroupLimit lockGroupLimit() {
			return new LockMetrics.GroupLimit();
		}

		/** Also a listener, and listeners are created before the locks. */
		@Bean("io.idempotent.lockMetrics")
		LockMetrics lockMetrics(ObjectProvider<DistributedLocks> locks, MeterRegistry registry) {
			return new LockMetrics(locks::getObject, registry);
		}

	}

}
