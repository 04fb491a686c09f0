package io.idempotent.redis;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

/**
 * A circuit breaker that keeps callers from queueing for a Redis server that does not
 * answer. It opens after two time-outs in a row: of a call while no other call was
 * answered, and of another call that started after that, and less than ten time-outs
 * after the last one. A single slow call does not open it. While it is open, one call at
 * a time is sent and all others fail at once. Any reply closes it, even an error, and so
 * do ten time-outs without a call. A call that is retried later anyway fails after the
 * first time-out.
 */
final class UnresponsiveRedisGuard {

	/** In time-outs. */
	private static final int PAUSE = 10;

	private final Duration timeout;

	private final AtomicBoolean probing = new AtomicBoolean();

	private final long created = System.nanoTime();

	/** When Redis last answered a call, in nanoseconds since this was created. */
	private volatile long lastAnswer = -1;

	/** When the first of these calls timed out; without meaning before it did. */
	private long suspectedAt;

	/** When the last call timed out, or -1 if a call was answered since. */
	private volatile long timedOutAt = -1;

	private volatile boolean open;

	UnresponsiveRedisGuard(Duration timeout) {
		this.timeout = timeout;
	}

	/** Fails if the breaker is open and another call is on its way. */
	<T extends @Nullable Object> T call(Supplier<T> call) {
		if (!this.open || (!this.probing.get() && isPast(now()))) {
			return observe(call);
		}
		if (!this.probing.compareAndSet(false, true)) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.NOT_SENT,
					"it left calls unanswered for " + DurationText.of(this.timeout)
							+ " twice in a row, and until it answers only one call at a time is sent",
					null);
		}
		try {
			return observe(call);
		}
		finally {
			this.probing.set(false);
		}
	}

	/** Fails if a call timed out within the last time-out and none was answered since. */
	<T extends @Nullable Object> T callUnlessSuspected(Supplier<T> call) {
		long timedOut = this.timedOutAt;
		if (timedOut >= 0 && now() - timedOut < TimeUnit.NANOSECONDS.convert(this.timeout)) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.NOT_SENT,
					"it has just left a call unanswered for " + DurationText.of(this.timeout)
							+ ", and is asked again later",
					null);
		}
		return call(call);
	}

	private <T extends @Nullable Object> T observe(Supplier<T> call) {
		long start = now();
		try {
			T reply = call.get();
			answered();
			return reply;
		}
		catch (RuntimeException ex) {
			if (Thread.currentThread().isInterrupted()) {
				// The caller gave up waiting, which says nothing about Redis.
				throw ex;
			}
			if (now() - start >= TimeUnit.NANOSECONDS.convert(this.timeout) || isTimeout(ex)) {
				timedOut(start);
			}
			else if (!isWithoutConnection(ex)) {
				answered();
			}
			throw ex;
		}
	}

	/** Of a client whose own time-out is shorter; Jedis suppresses that of a connect. */
	private static boolean isTimeout(@Nullable Throwable ex) {
		return ex != null && (ex instanceof SocketTimeoutException || isTimeout(ex.getCause())
				|| Stream.of(ex.getSuppressed()).anyMatch(UnresponsiveRedisGuard::isTimeout));
	}

	/**
	 * Whether it is no reply, as when a pool has no free connection, or a connection is
	 * reset.
	 */
	private static boolean isWithoutConnection(RuntimeException ex) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		return cause instanceof NoSuchElementException || cause instanceof IOException
				|| (ex instanceof CommandNotExecutedException failure
						&& failure.reason() == CommandNotExecutedException.Reason.NOT_CONNECTED);
	}

	private void answered() {
		this.lastAnswer = now();
		if (this.timedOutAt >= 0) {
			synchronized (this) {
				this.timedOutAt = -1;
				this.open = false;
			}
		}
	}

	/** Ignored if a call was answered meanwhile: nothing would close the breaker. */
	private synchronized void timedOut(long start) {
		if (this.lastAnswer > start) {
			return;
		}
		if (this.timedOutAt < 0 || isPast(start)) {
			this.suspectedAt = now();
			this.open = false;
		}
		else if (start >= this.suspectedAt) {
			this.open = true;
		}
		this.timedOutAt = now();
	}

	/** Whether the last time-out no longer counts for a call that starts now. */
	private boolean isPast(long now) {
		return now - this.timedOutAt >= PAUSE * TimeUnit.NANOSECONDS.convert(this.timeout);
	}

	private long now() {
		return System.nanoTime() - this.created;
	}

}
