package io.idempotent.steps.internal;

import io.idempotent.audit.BoundedText;
import io.idempotent.steps.OperationSteps;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.StringUtils;

/** What must hold where a step is called. */
final class StepRules {

	private static final int LONGEST_NAME = 255;

	private StepRules() {
	}

	/**
	 * In the tables of all databases: {@code insert ignore} of MySQL would shorten it.
	 */
	static String requireRoom(String what, String name) {
		if (name.length() > LONGEST_NAME) {
			throw new IllegalArgumentException(what + " is '" + name + "', but the tables of steps have room for "
					+ LONGEST_NAME + " characters: make it shorter");
		}
		return name;
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
