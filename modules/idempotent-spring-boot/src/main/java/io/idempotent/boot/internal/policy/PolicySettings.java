package io.idempotent.boot.internal.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.engine.OperationPolicies;
import io.idempotent.engine.OperationPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Describes the policies of operations, with the place where each value was set.
 */
@FunctionalInterface
public interface PolicySettings {

	/**
	 * Describes the policy of an operation.
	 * @param operation the operation
	 */
	List<Setting> of(Description operation);

	/**
	 * Creates the descriptions of policies.
	 * @param policies the policies
	 * @param environment the environment with the properties
	 * @return the descriptions; those of an {@link OperationPolicies} bean of the
	 * application name the bean's class as the source of each value
	 */
	static PolicySettings of(OperationPolicies policies, ConfigurableEnvironment environment) {
		return (policies instanceof PropertiesOperationPolicies properties)
				? new PropertiesPolicySettings(properties, environment) : (operation) -> ofBean(policies, operation);
	}

	private static List<Setting> ofBean(OperationPolicies policies, Description operation) {
		OperationPolicy policy = policies.policy(operation.name(), operation.declared());
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("lease", policy.lease());
		values.put("retention", policy.retention());
		values.put("waitTimeout", policy.waitTimeout());
		values.put("whenCompleted", policy.whenCompleted());
		values.put("whenInProgress", policy.whenInProgress());
		values.put("whenUnknown", policy.whenUnknown());
		values.put("whenFailed", policy.whenFailed());
		values.put("whenStoreFails", policy.whenStoreFails());
		values.put("receipt", policy.receipt() ? "ON" : "OFF");
		ApiIdempotent annotation = operation.annotation();
		if (annotation != null) {
			values.put("source", policies.source(operation.name(), annotation));
			values.put("replayErrors", policies.replayErrors(operation.name(), annotation));
		}
		String source = policies.getClass().getName();
		return values.entrySet()
			.stream()
			.map((value) -> new Setting(value.getKey(), value.getValue(), source, null, null))
			.toList();
	}

	/**
	 * A setting of an operation.
	 *
	 * @param name the attribute, as it is written in an annotation
	 * @param value the value that applies
	 * @param source where it was set: {@code annotation}, a property, {@code default}, or
	 * {@code message-listener} for a default that depends on the method
	 * @param declared the text in the annotation, if it has a placeholder
	 * @param origin where the property is written, if it is known
	 */
	record Setting(String name, Object value, String source, @Nullable String declared, @Nullable String origin) {
	}

}
