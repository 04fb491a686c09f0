package io.idempotent.steps.internal;

import io.idempotent.audit.BoundedText;
import io.idempotent.steps.OperationSteps;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.StringUtils;

/** What must hold where a step is called. */
final class StepRules {

	private StepRules() {
	}

	static void requireName(String name, String operation) {
		if (!isName(name)) {
			throw new IllegalArgumentException("The name of a step of operation '" + operation + "' is '"
					+ BoundedText.visible(name, OperationSteps.MAX_NAME) + "', but it must have 1 to "
					+ OperationSteps.MAX_NAME + " printable characters");
		}
	}

	static boolean isName(String name) {
		return StringUtils.hasText(name) && name.length() <= OperationSteps.MAX_NAME
				&& name.codePoints().noneMatch(BoundedText::isUnprintable);
	}

	static void requireNoTransaction(String name, String operation) {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new IllegalStateException("Step '" + name + "' of operation '" + operation
					+ "' was called within a transaction, which could still roll it back: call steps outside of "
					+ "transactions; a transactional step begins its own");
		}
	}

}
