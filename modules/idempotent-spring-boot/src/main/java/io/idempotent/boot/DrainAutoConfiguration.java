package io.idempotent.boot;

import io.idempotent.engine.IdempotencyGate;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for a servlet application that closes its connections gracefully
 * when it stops.
 */
@AutoConfiguration
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnProperty("idempotent.web.drain-time")
@EnableConfigurationProperties(IdempotentProperties.class)
public final class DrainAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ConnectionDrain idempotencyConnectionDrain(IdempotentProperties properties) {
		return new ConnectionDrain(properties.web().drainTime());
	}

	@Bean
	@ConditionalOnMissingBean(name = "idempotencyConnectionDrainFilter")
	FilterRegistrationBean<ConnectionDrain> idempotencyConnectionDrainFilter(ConnectionDrain drain) {
		FilterRegistrationBean<ConnectionDrain> registration = new FilterRegistrationBean<>(drain);
		registration.setName("idempotencyConnectionDrain");
		registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return registration;
	}

}
