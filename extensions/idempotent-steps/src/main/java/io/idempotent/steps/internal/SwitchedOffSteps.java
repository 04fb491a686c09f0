package io.idempotent.steps.internal;

import io.idempotent.IdempotencyContext;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps where this library is switched off, or a test slice has no database: each runs,
 * and nothing is recorded.
 */
public final class SwitchedOffSteps implements OperationStepsFactory {

	private final OperationSteps steps;

	/** Without a manager, steps run in no transaction. */
	public SwitchedOffSteps(@Nullable PlatformTransactionManager manager) {
		this.steps = new UnrecordedSteps((manager != null) ? new StepTransaction(manager) : null);
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
