package io.idempotent.boot;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.engine.policy.OperationPolicy;

/**
 * Describes the policies of an {@link OperationPolicies} bean of the application.
 */
final class OwnPolicySettings implements PolicySettings {

	private final OperationPolicies policies;

	OwnPolicySettings(OperationPolicies policies) {
		this.policies = policies;
	}

	@Override
	public List<Setting> of(Description operation) {
		OperationPolicy policy = this.policies.policy(operation.name(), operation.declared());
		List<Setting> settings = new ArrayList<>(List.of(setting("lease", policy.lease()),
				setting("retention", policy.retention()), setting("waitTimeout", policy.waitTimeout()),
				setting("whenCompleted", policy.whenCompleted()), setting("whenInProgress", policy.whenInProgress()),
				setting("whenUnknown", policy.whenUnknown()), setting("whenFailed", policy.whenFailed()),
				setting("whenStoreFails", policy.whenStoreFails()),
				setting("receipt", policy.receipt() ? "ON" : "OFF")));
		ApiIdempotent annotation = operation.annotation();
		if (annotation != null) {
			settings.add(setting("source", this.policies.source(operation.name(), annotation)));
			settings.add(setting("replayErrors", this.policies.replayErrors(operation.name(), annotation)));
		}
		return settings;
	}

	private Setting setting(String name, Object value) {
		return new Setting(name, value, this.policies.getClass().getName(), null, null);
	}

}
