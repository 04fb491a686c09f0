package io.idempotent.boot;

import java.util.List;

import io.idempotent.administration.OperationCatalog;
import io.idempotent.engine.policy.OperationPolicies;
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
	List<Setting> of(OperationCatalog.Description operation);

	/**
	 * Creates the descriptions of policies.
	 * @param policies the policies
	 * @param environment the environment with the properties
	 * @return the descriptions; those of an {@link OperationPolicies} bean of the
	 * application name the bean's class as the source of each value
	 */
	static PolicySettings of(OperationPolicies policies, ConfigurableEnvironment environment) {
		return (policies instanceof PropertiesOperationPolicies properties)
				? new PropertiesPolicySettings(properties, environment) : new OwnPolicySettings(policies);
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
