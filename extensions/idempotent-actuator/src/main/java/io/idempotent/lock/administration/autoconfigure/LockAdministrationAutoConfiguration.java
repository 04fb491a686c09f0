package io.idempotent.lock.administration.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.internal.EngineDistributedLocks;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the administration of locks: its bean, the endpoint
 * {@code locks}, and audit events of operators.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(EngineDistributedLocks.class)
@ConditionalOnSingleCandidate(EngineDistributedLocks.class)
public final class LockAdministrationAutoConfiguration {

	/** A provider, since a bean that depends on locks would need their tables. */
	@Bean("io.idempotent.lockAdministration")
	@ConditionalOnMissingBean
	LockAdministration lockAdministration(ObjectProvider<EngineDistributedLocks> locks,
			ObjectProvider<SwitchControl> switching, ApplicationEventPublisher publisher) {
		return new LockAdministration(locks.getObject(), switching.getIfAvailable(), publisher::publishEvent);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
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

		/** For Spring Boot's endpoint {@code auditevents}. */
		@EventListener
		AuditApplicationEvent audit(LockIntervention done) {
			Map<String, Object> data = new LinkedHashMap<>();
			if (done.name() != null) {
				data.put("lock", done.name());
			}
			data.put("engine", done.engine());
			data.put("reason", done.reason());
			data.put("result", LockResponses.text(done.result()));
			return new AuditApplicationEvent(done.time(), done.by(), "IDEMPOTENT_LOCK_" + done.action().name(), data);
		}

	}

}
