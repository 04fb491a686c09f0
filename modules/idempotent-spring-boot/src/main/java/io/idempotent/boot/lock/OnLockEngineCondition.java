package io.idempotent.boot.lock;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches an engine that {@code idempotent.lock.engines} names, or that is the authority
 * for switching.
 */
final class OnLockEngineCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnLockEngine> annotation = metadata.getAnnotations()
			.get(ConditionalOnLockEngine.class);
		String engine = annotation.getString("value");
		List<String> engines = LockEngines.named(context.getEnvironment());
		String authority = context.getEnvironment().getProperty("idempotent.lock.switching.authority");
		boolean matches = engines.contains(engine) || engine.equals(authority)
				|| (engines.isEmpty() && annotation.getBoolean("byDefault"));
		ConditionMessage message = ConditionMessage.forCondition(ConditionalOnLockEngine.class, engine)
			.because("idempotent.lock.engines is " + engines);
		return new ConditionOutcome(matches, message);
	}

}
