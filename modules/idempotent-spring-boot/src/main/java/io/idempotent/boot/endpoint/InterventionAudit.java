package io.idempotent.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.administration.Intervention;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/**
 * Makes interventions audit events of Spring Boot, for its {@code auditevents} endpoint.
 */
final class InterventionAudit implements ApplicationListener<PayloadApplicationEvent<Intervention>> {

	private final ApplicationEventPublisher events;

	InterventionAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<Intervention> event) {
		Intervention intervention = event.getPayload();
		Map<String, Object> data = new LinkedHashMap<>();
		if (intervention.operation() != null) {
			data.put("operation", intervention.operation());
		}
		data.put("hash", intervention.key().toString());
		data.put("reason", intervention.reason());
		data.put("forced", intervention.forced());
		this.events.publishEvent(new AuditApplicationEvent(intervention.time(), intervention.by(),
				"IDEMPOTENT_" + intervention.action().name(), data));
	}

}
