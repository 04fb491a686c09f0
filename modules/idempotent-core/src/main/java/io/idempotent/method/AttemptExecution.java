package io.idempotent.method;

import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate.Attempt;
import org.jspecify.annotations.Nullable;

/**
 * An attempt between two calls. Only its first end counts.
 *
 * @param <T> the type of the result
 */
final class AttemptExecution<T extends @Nullable Object> implements Attempt<T> {

	private final CallExecutor calls;

	private final CallExecution call;

	private final AtomicBoolean ended = new AtomicBoolean();

	AttemptExecution(CallExecutor calls, CallExecution call) {
		this.calls = calls;
		this.call = call;
	}

	@Override
	public IdempotencyContext context() {
		return this.call.context();
	}

	@Override
	public void succeeded(T result) {
		if (this.ended.compareAndSet(false, true)) {
			try {
				if (!this.call.isDuplicate()) {
					this.call.returned(result);
				}
			}
			finally {
				this.calls.end(this.call);
			}
		}
	}

	@Override
	public void failed() {
		if (this.ended.compareAndSet(false, true)) {
			this.call.failed();
			this.calls.end(this.call);
		}
	}

	@Override
	public void close() {
		if (this.ended.compareAndSet(false, true)) {
			this.call.abandon();
		}
	}

}
