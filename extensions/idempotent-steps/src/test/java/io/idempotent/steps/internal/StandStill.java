package io.idempotent.steps.internal;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.StoreUnavailableException;
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
		return (IdempotencyStore) Proxy.newProxyInstance(StandStill.class.getClassLoader(),
				new Class<?>[] { IdempotencyStore.class }, (proxy, method, arguments) -> {
					if (this.still && method.getName().equals("renew")) {
						throw new StoreUnavailableException("The process stands still", null);
					}
					return method.invoke(this.store, arguments);
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
