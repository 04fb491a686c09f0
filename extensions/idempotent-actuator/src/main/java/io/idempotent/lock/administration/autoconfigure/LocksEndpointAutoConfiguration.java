package io.idempotent.lock.administration.autoconfigure;

import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.administration.LockAdministration;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the endpoint {@code locks} and audit events of interventions.
 */
@AutoConfiguration(after = LockAdministrationAutoConfiguration.class)
@ConditionalOnClass({ DistributedLocks.class, WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(LockAdministration.class)
public final class LocksEndpointAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
	@RegisterReflectionForBinding({ LockResponses.NodeBody.class, LockResponses.LockBody.class,
			LockResponses.Failure.class })
	static class EndpointConfiguration {

		@Bean("io.idempotent.locksEndpoint")
		@ConditionalOnMissingBean
		LocksEndpoint locksEndpoint(LockAdministration administration, Environment environment) {
			return new LocksEndpoint(administration, NodeName.in(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AuditApplicationEvent.class)
	static class AuditConfiguration {

		@Bean("io.idempotent.lockInterventionAudit")
		LockInterventionAudit lockInterventionAudit(ApplicationEventPublisher events) {
			return new LockInterventionAudit(events);
		}

	}

}
