package io.idempotent.steps.internal;

import io.idempotent.IdempotencyContext;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps where this library is switched off: each runs, and nothing is recorded.
 */
public final class SwitchedOffSteps implements OperationStepsFactory {

	private final OperationSteps steps;

	public SwitchedOffSteps(PlatformTransactionManager manager) {
		this.steps = new UnrecordedSteps(new StepTransaction(manager));
	}

	@Override
	public OperationSteps current() {
		return this.steps;
	}

	@Override
	public OperationSteps of(IdempotencyContext context) {
		return this.steps;
	}

}
