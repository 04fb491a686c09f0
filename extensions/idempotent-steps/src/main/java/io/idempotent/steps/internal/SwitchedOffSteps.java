package io.idempotent.steps.internal;

import java.util.UUID;

import io.idempotent.IdempotencyContext;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.StepVerifier;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps where this library is switched off, or a test slice has no database: each runs,
 * and nothing is recorded.
 */
public final class SwitchedOffSteps implements OperationStepsFactory, OperationSteps {

	private final @Nullable StepTransaction transaction;

	/** Without a manager, steps run in no transaction. */
	public SwitchedOffSteps(@Nullable PlatformTransactionManager manager) {
		this.transaction = (manager != null) ? new StepTransaction(manager, null) : null;
	}

	@Override
	public OperationSteps current() {
		return this;
	}

	@Override
	public OperationSteps of(IdempotencyContext context) {
		return this;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T transactional(String name, Class<T> type,
			ThrowingSupplier<T, X> step) throws X {
		return (this.transaction != null) ? this.transaction.execute(name, step) : step.get();
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call, StepVerifier<T> verifier) throws X {
		return call.apply(Digest.sha256().add(UUID.randomUUID().toString()).build().encoded());
	}

}
