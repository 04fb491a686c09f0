package io.idempotent.boot;

import java.util.Set;

import io.idempotent.method.OperationNames;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns of properties under {@code idempotent.operations} that no operation reads, and of
 * settings that have no effect. Runs after the checks of all annotated methods, when the
 * names of the operations are known.
 */
final class OperationSettingsWarning implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(OperationSettingsWarning.class);

	private final OperationNames names;

	private final ObjectProvider<PropertiesOperationPolicies> policies;

	OperationSettingsWarning(OperationNames names, ObjectProvider<PropertiesOperationPolicies> policies) {
		this.names = names;
		this.policies = policies;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.policies.ifAvailable((properties) -> {
			warnOfUnknown(properties);
			warnOfIneffective(properties);
		});
	}

	/**
	 * A warning only: the operation may be mapped later, run by a template, or in another
	 * application that shares the configuration.
	 */
	private void warnOfUnknown(PropertiesOperationPolicies properties) {
		Set<String> known = this.names.taken();
		Set<String> unknown = properties.unknownSettings(known);
		if (!unknown.isEmpty()) {
			logger.warn("No annotated operation has the name and the setting in " + unknown
					+ ". Settings of the operations are written as "
					+ known.stream().sorted().map((name) -> OperationSettings.property(name, "<setting>")).toList()
					+ " with one of the settings " + OperationSettings.SETTINGS
					+ ": correct or remove the property, unless code gives the name to an IdempotencyTemplate");
		}
	}

	private void warnOfIneffective(PropertiesOperationPolicies properties) {
		Set<String> ineffective = properties.ineffectiveSettings(this.names.taken());
		if (!ineffective.isEmpty()) {
			logger.warn("These settings of operations have no effect: " + String.join(", ", ineffective)
					+ ". Remove them, or correct the setting that they depend on");
		}
	}

}
