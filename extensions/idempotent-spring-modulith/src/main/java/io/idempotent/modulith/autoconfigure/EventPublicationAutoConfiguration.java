package io.idempotent.modulith.autoconfigure;

import io.idempotent.method.MessageIdentity;
import io.idempotent.modulith.EventPublicationIdentity;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration for the events of Spring Modulith: their publications are the keys
 * of listeners without one.
 */
@AutoConfiguration(afterName = "org.springframework.modulith.events.config.EventPublicationAutoConfiguration")
@ConditionalOnClass(value = MessageIdentity.class, name = EventPublicationAutoConfiguration.REGISTRY)
@ConditionalOnBean(type = EventPublicationAutoConfiguration.REGISTRY)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class EventPublicationAutoConfiguration {

	static final String REGISTRY = "org.springframework.modulith.events.core.EventPublicationRegistry";

	@Bean("io.idempotent.idempotentEventPublicationIdentity")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static EventPublicationIdentity idempotentEventPublicationIdentity() {
		return new EventPublicationIdentity();
	}

	@Bean("io.idempotent.idempotentEventPublicationAdvisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static Advisor idempotentEventPublicationAdvisor(EventPublicationIdentity identity) {
		return identity.advisor();
	}

}
