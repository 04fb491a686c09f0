package io.idempotent.boot.lock;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if nodes switch engines, and the database is the authority.
 */
final class OnJdbcAuthorityCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Environment environment = context.getEnvironment();
		boolean enabled = environment.getProperty("idempotent.lock.switching.enabled", Boolean.class, false);
		String authority = SwitchableEngines.authority(environment.getProperty("idempotent.lock.switching.authority"),
				LockEngines.named(environment));
		return new ConditionOutcome(enabled && authority.equals("jdbc"), ConditionMessage.forCondition("Jdbc Authority")
			.because("switching is " + (enabled ? "enabled" : "not enabled") + ", and the authority is " + authority));
	}

}
