package io.idempotent.boot.observation;

import io.idempotent.engine.SubmissionObserver;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.observation.LockObservationConvention;
import io.idempotent.lock.observation.MicrometerLockObserver;
import io.idempotent.observation.MicrometerSubmissionObserver;
import io.idempotent.observation.SubmissionObservationConvention;
import io.idempotent.webmvc.observation.SubmissionOutcomeFilter;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the observation of submissions and locks, if there is a bean of
 * type {@link ObservationRegistry}.
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class IdempotentObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MicrometerSubmissionObserver.class)
	static class SubmissionConfiguration {

		@Bean
		@ConditionalOnMissingBean(SubmissionObserver.class)
		MicrometerSubmissionObserver idempotencySubmissionObserver(ObservationRegistry registry,
				ObjectProvider<SubmissionObservationConvention> convention) {
			return new MicrometerSubmissionObserver(registry, convention.getIfAvailable());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ SubmissionOutcomeFilter.class, HttpServletRequest.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class HttpConfiguration {

		@Bean
		@ConditionalOnMissingBean
		SubmissionOutcomeFilter idempotencySubmissionOutcomeFilter() {
			return new SubmissionOutcomeFilter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MicrometerLockObserver.class)
	static class LockConfiguration {

		@Bean
		@ConditionalOnMissingBean(LockObserver.class)
		MicrometerLockObserver lockObserver(ObservationRegistry registry,
				ObjectProvider<LockObservationConvention> convention) {
			return new MicrometerLockObserver(registry, convention.getIfAvailable());
		}

	}

}
