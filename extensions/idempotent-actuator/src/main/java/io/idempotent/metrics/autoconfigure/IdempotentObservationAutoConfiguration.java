package io.idempotent.metrics.autoconfigure;

import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.observation.MicrometerLockObserver;
import io.idempotent.observation.MicrometerSubmissionObserver;
import io.idempotent.submission.event.SubmissionObserver;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for observations, if there is an {@link ObservationRegistry} bean.
 */
@AutoConfiguration(
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.NoopTracerAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class IdempotentObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SubmissionObserver.class)
	static class SubmissionConfiguration {

		@Bean("io.idempotent.idempotencySubmissionObserver")
		@ConditionalOnMissingBean(SubmissionObserver.class)
		MicrometerSubmissionObserver idempotencySubmissionObserver(ObservationRegistry registry,
				ObjectProvider<Traceparent> trace) {
			return new MicrometerSubmissionObserver(registry, trace.getIfAvailable());
		}

	}

	/** The handler comes before Micrometer's own ones, which take every context. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, SubmissionObserver.class })
	@ConditionalOnBean(Tracer.class)
	static class TracingConfiguration {

		@Bean("io.idempotent.idempotencyCurrentTrace")
		Traceparent idempotencyCurrentTrace(Tracer tracer) {
			return new Traceparent(tracer);
		}

		@Bean("io.idempotent.idempotencySubmissionTracingObservationHandler")
		@Order(0)
		SubmissionTracingObservationHandler idempotencySubmissionTracingObservationHandler(Tracer tracer,
				Traceparent trace) {
			return new SubmissionTracingObservationHandler(tracer, trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LockObserver.class)
	static class LockConfiguration {

		@Bean("io.idempotent.lockObserver")
		@ConditionalOnMissingBean(LockObserver.class)
		MicrometerLockObserver lockObserver(ObservationRegistry registry) {
			return new MicrometerLockObserver(registry);
		}

	}

}
