package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Set;

import io.idempotent.administration.autoconfigure.OperationCatalog.Description;
import io.idempotent.boot.internal.policy.PolicyValue;
import io.idempotent.boot.internal.policy.PropertiesOperationPolicies;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;

import org.springframework.core.env.Environment;

/**
 * Describes the policies of operations, with the place where each value was set. Those of
 * an {@link OperationPolicies} bean of the application are not known.
 */
record PolicySettings(OperationPolicies policies, Environment environment) {

	/** The attributes whose default depends on whether a method listens to messages. */
	private static final Set<String> OF_LISTENERS = Set.of("wait-timeout", "when-in-progress");

	List<Setting> of(Description operation) {
		return (this.policies instanceof PropertiesOperationPolicies properties) ? properties
			.values(operation.name(), operation.declared(), operation.annotation())
			.stream()
			.filter((value) -> !"".equals(value.value()))
			.map((value) -> new Setting(value.inCamelCase(), value.value(), source(value, operation.declared())))
			.toList() : List.of();
	}

	private String source(PolicyValue<?> value, DeclaredPolicy declared) {
		return switch (value.place()) {
			case OPERATION -> value.name();
			case ANNOTATION -> "annotation";
			case DEFAULTS -> (declared.redelivered() && OF_LISTENERS.contains(value.attribute())) ? "message-listener"
					: isSet(value.name()) ? value.name() : "default";
		};
	}

	private boolean isSet(String property) {
		return this.environment.containsProperty(property) || this.environment.containsProperty(property + "[0]");
	}

	/**
	 * A setting of an operation, named as in an annotation. The {@code source} is
	 * {@code annotation}, the name of a property, {@code default}, or
	 * {@code message-listener} for a default that depends on the method.
	 */
	record Setting(String name, Object value, String source) {
	}

}
