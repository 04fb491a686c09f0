package io.idempotent.lock.administration.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.lock.administration.LockIntervention;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/** Publishes interventions for Spring Boot's endpoint {@code auditevents}. */
final class LockInterventionAudit implements ApplicationListener<PayloadApplicationEvent<LockIntervention>> {

	private final ApplicationEventPublisher events;

	LockInterventionAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<LockIntervention> event) {
		LockIntervention done = event.getPayload();
		Map<String, Object> data = new LinkedHashMap<>();
		if (done.name() != null) {
			data.put("lock", done.name());
		}
		data.put("engine", done.engine());
		data.put("reason", done.reason());
		data.put("result", LockResponses.text(done.result()));
		this.events.publishEvent(
				new AuditApplicationEvent(done.time(), done.by(), "IDEMPOTENT_LOCK_" + done.action().name(), data));
	}

}
