package io.idempotent.sample.redis;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if no property sets the address of a Redis. Other properties of the connection,
 * such as time-outs or a pool, do not count.
 */
class OnNoRedisConfiguredCondition extends SpringBootCondition {

	private static final List<String> ADDRESSES = List.of("host", "port", "url", "sentinel.nodes", "cluster.nodes",
			"masterreplica.nodes");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("No Redis configured");
		Binder binder = Binder.get(context.getEnvironment());
		for (String address : ADDRESSES) {
			String property = "spring.data.redis." + address;
			if (!binder.bind(property, Bindable.listOf(String.class)).orElse(List.of()).isEmpty()) {
				return ConditionOutcome.noMatch(message.because(property + " is set"));
			}
		}
		return ConditionOutcome.match(message.because("no property holds an address"));
	}

}
