package io.idempotent.boot.metrics;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the meters of locks.
 */
@AutoConfiguration(after = LockAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({ EngineDistributedLocks.class, MeterRegistry.class })
@ConditionalOnBean({ DistributedLocks.class, MeterRegistry.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class LockMetricsAutoConfiguration {

	@Bean("io.idempotent.lockGroupLimit")
	static LockGroupLimit lockGroupLimit() {
		return new LockGroupLimit();
	}

	@Bean("io.idempotent.lockMetrics")
	LockMetrics lockMetrics(DistributedLocks locks, ObjectProvider<EngineDistributedLocks> node) {
		return new LockMetrics(locks, node.getIfUnique());
	}

	/** Listeners are created before the locks. */
	@Bean("io.idempotent.lockEventMetrics")
	LockEventMetrics lockEventMetrics(ObjectProvider<DistributedLocks> locks, MeterRegistry registry) {
		return new LockEventMetrics(locks::getObject, registry);
	}

}
