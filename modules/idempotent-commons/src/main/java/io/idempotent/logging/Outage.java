package io.idempotent.logging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Tracks the outages of a remote service, so that one line is logged when an outage
 * starts and one when it ends. An outage ends with the first success after a while
 * without failures. Safe for use by several threads.
 */
public final class Outage {

	/** The default time without failures: one node of a cluster may be unavailable. */
	public static final Duration QUIET = Duration.ofSeconds(5);

	private static final Duration REMINDER = Duration.ofMinutes(1);

	private final long quiet;

	private final AtomicBoolean failing = new AtomicBoolean();

	private volatile long began;

	private volatile long lastFailure;

	private volatile long lastLogged;

	public Outage(Duration quiet) {
		this.quiet = quiet.toNanos();
	}

	public Failure failed() {
		long now = System.nanoTime();
		this.lastFailure = now;
		if (this.failing.compareAndSet(false, true)) {
			this.began = now;
			this.lastLogged = now;
			return Failure.FIRST;
		}
		if (now - this.lastLogged > REMINDER.toNanos()) {
			this.lastLogged = now;
			return Failure.REMINDER;
		}
		return Failure.FURTHER;
	}

	/** The duration of the outage that this success ends, or {@code null}. */
	public @Nullable Duration succeeded() {
		if (!this.failing.get() || System.nanoTime() - this.lastFailure < this.quiet) {
			return null;
		}
		Duration lasted = lasted();
		return this.failing.compareAndSet(true, false) ? lasted : null;
	}

	public boolean isFailing() {
		return this.failing.get();
	}

	public Duration lasted() {
		return Duration.ofNanos(this.lastFailure - this.began);
	}

	/**
	 * How to log a failure.
	 */
	public enum Failure {

		/** It starts an outage, which is logged. */
		FIRST,

		/** It belongs to an outage that was last logged a minute or more ago. */
		REMINDER,

		/** It belongs to an outage that was logged recently. */
		FURTHER

	}

}
