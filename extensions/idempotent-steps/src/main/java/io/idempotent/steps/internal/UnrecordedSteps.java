package io.idempotent.steps.internal;

import java.security.SecureRandom;
import java.util.Base64;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Steps of which nothing is recorded: each runs, in its transaction if there is a
 * manager.
 */
final class UnrecordedSteps implements OperationSteps {

	private static final int KEY_BYTES = 32;

	private final @Nullable StepTransaction transaction;

	private final SecureRandom random = new SecureRandom();

	UnrecordedSteps(@Nullable StepTransaction transaction) {
		this.transaction = transaction;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T transactional(String name, Class<T> type,
			ThrowingSupplier<T, X> step) throws X {
		return (this.transaction != null) ? this.transaction.execute(step) : step.get();
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call, StepVerifier<T> verifier) throws X {
		return call.apply(key());
	}

	private String key() {
		byte[] bytes = new byte[KEY_BYTES];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

}
