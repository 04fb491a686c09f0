package io.idempotent.boot;

import io.idempotent.method.OperationNames;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns of settings of operations that do not exist. It comes after the checks of all
 * annotated methods, so that all names are known.
 */
final class UnknownOperationWarning implements SmartInitializingSingleton {

	private final OperationNames names;

	private final ObjectProvider<PropertiesOperationPolicies> policies;

	UnknownOperationWarning(OperationNames names, ObjectProvider<PropertiesOperationPolicies> policies) {
		this.names = names;
		this.policies = policies;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.policies.ifAvailable((properties) -> properties.warnOfUnknownOperations(this.names.taken()));
	}

}
