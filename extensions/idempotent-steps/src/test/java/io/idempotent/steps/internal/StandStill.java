package io.idempotent.steps.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.ObservedDataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A process that stands still, beyond its lease, between the record that a step has begun
 * and the call. Meanwhile it renews nothing.
 */
final class StandStill {

	private final IdempotencyStore store;

	private volatile boolean still;

	StandStill(IdempotencyStore store) {
		this.store = store;
	}

	IdempotencyStore store() {
		return ObservedDataSource.intercept(this.store, (call) -> {
			if (this.still && call.getMethod().getName().equals("renew")) {
				throw new StoreUnavailableException("The process stands still", null);
			}
			return call.proceed();
		});
	}

	StepObserver observer(Supplier<Optional<IdempotencyContext>> current) {
		return new StepObserver() {

			@Override
			public <T extends @Nullable Object, X extends Throwable> T observe(String operation, String step,
					String kind, ThrowingSupplier<T, X> code) throws X {
				IdempotencyContext context = current.get().orElseThrow();
				StandStill.this.still = true;
				Awaitility.await().pollInterval(Duration.ofMillis(10)).until(context::isClaimLost);
				return code.get();
			}

		};
	}

}
