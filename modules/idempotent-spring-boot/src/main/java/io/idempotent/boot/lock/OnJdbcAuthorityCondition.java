package io.idempotent.boot.lock;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if nodes switch engines, and the database is the authority.
 */
final class OnJdbcAuthorityCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Binder binder = Binder.get(context.getEnvironment());
		boolean enabled = binder.bind("idempotent.lock.switching.enabled", Boolean.class).orElse(false);
		List<String> engines = binder.bind("idempotent.lock.engines", Bindable.listOf(String.class)).orElse(List.of());
		String authority = SwitchableEngines
			.authority(context.getEnvironment().getProperty("idempotent.lock.switching.authority"), engines);
		return new ConditionOutcome(enabled && authority.equals("jdbc"), ConditionMessage.forCondition("Jdbc Authority")
			.because("switching is " + (enabled ? "enabled" : "not enabled") + ", and the authority is " + authority));
	}

}
