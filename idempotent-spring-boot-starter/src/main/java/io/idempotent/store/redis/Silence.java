package io.idempotent.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps callers from queueing for a Redis that has let one of them wait in vain. From
 * then on one call at a time asks and all others fail at once, until a call is answered;
 * an error is an answer.
 */
final class Silence {

	private final Duration timeout;

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile boolean silent;

	Silence(Duration timeout) {
		this.timeout = timeout;
	}

	/**
	 * Asks, unless there is silence and somebody else is asking.
	 * @throws IllegalStateException if it did not ask
	 */
	<T extends @Nullable Object> T ask(Supplier<T> call) {
		if (!this.silent) {
			return listen(call);
		}
		if (!this.asking.compareAndSet(false, true)) {
			throw new IllegalStateException(
					"not asked: it left a call unanswered for " + this.timeout + ", and one at a time tries it again");
		}
		try {
			return listen(call);
		}
		finally {
			this.asking.set(false);
		}
	}

	private <T extends @Nullable Object> T listen(Supplier<T> call) {
		long start = System.nanoTime();
		try {
			T reply = call.get();
			if (this.silent) {
				this.silent = false;
			}
			return reply;
		}
		catch (RuntimeException ex) {
			this.silent = System.nanoTime() - start >= TimeUnit.NANOSECONDS.convert(this.timeout);
			throw ex;
		}
	}

}
