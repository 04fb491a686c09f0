package io.idempotent.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Keeps callers from queueing for a Redis server that does not answer. It takes two signs
 * in a row, and a single slow call is none: a call that ran into its time-out while no
 * other call was answered, and another one that began after that. From then on one call
 * at a time asks and all others fail at once, until a call is answered; an error is an
 * answer. A call that is repeated later anyway does not wait for the second sign.
 */
final class UnresponsiveRedisGuard {

	private final Duration timeout;

	private final AtomicBoolean asking = new AtomicBoolean();

	private final long created = System.nanoTime();

	/** When Redis last answered a call, in nanoseconds since this was created. */
	private volatile long lastAnswer = -1;

	/** When the first sign was seen, or -1. */
	private volatile long suspectedAt = -1;

	/** When the last call was left unanswered, or -1 if one was answered since. */
	private volatile long unansweredAt = -1;

	private volatile boolean silent;

	UnresponsiveRedisGuard(Duration timeout) {
		this.timeout = timeout;
	}

	/**
	 * Asks, unless there is silence and somebody else is asking.
	 * @throws NotDoneException if it did not ask
	 */
	<T extends @Nullable Object> T ask(Supplier<T> call) {
		if (!this.silent) {
			return listen(call);
		}
		if (!this.asking.compareAndSet(false, true)) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Why.NOT_ASKED,
					"it left calls unanswered for " + DurationText.of(this.timeout)
							+ " twice in a row, and until it answers only one call at a time is sent",
					null);
		}
		try {
			return listen(call);
		}
		finally {
			this.asking.set(false);
		}
	}

	/**
	 * Asks, unless a call was left unanswered within the last time-out and none was
	 * answered since: for what is repeated later.
	 * @throws NotDoneException if it did not ask
	 */
	<T extends @Nullable Object> T askUnlessSuspect(Supplier<T> call) {
		long unanswered = this.unansweredAt;
		if (unanswered >= 0 && now() - unanswered < TimeUnit.NANOSECONDS.convert(this.timeout)) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Why.NOT_ASKED,
					"it has just left a call unanswered for " + DurationText.of(this.timeout)
							+ ", and is asked again later",
					null);
		}
		return ask(call);
	}

	private <T extends @Nullable Object> T listen(Supplier<T> call) {
		long start = now();
		try {
			T reply = call.get();
			answered();
			return reply;
		}
		catch (RuntimeException ex) {
			if (Thread.currentThread().isInterrupted()) {
				// Gave up waiting, which is neither an answer nor a sign of silence.
				throw ex;
			}
			if (now() - start < TimeUnit.NANOSECONDS.convert(this.timeout)) {
				answered();
			}
			else {
				unanswered(start);
			}
			throw ex;
		}
	}

	private void answered() {
		this.lastAnswer = now();
		if (this.suspectedAt >= 0 || this.unansweredAt >= 0) {
			end();
		}
	}

	private synchronized void end() {
		this.suspectedAt = -1;
		this.unansweredAt = -1;
		this.silent = false;
	}

	/** Not beside an answer: a silence that began without a suspicion would not end. */
	private synchronized void unanswered(long start) {
		if (this.lastAnswer > start) {
			return;
		}
		this.unansweredAt = now();
		long suspected = this.suspectedAt;
		if (suspected < 0) {
			this.suspectedAt = now();
		}
		else if (start >= suspected) {
			this.silent = true;
		}
	}

	private long now() {
		return System.nanoTime() - this.created;
	}

}
