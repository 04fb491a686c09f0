package io.idempotent.logging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * The failures of something that others call, seen as outages: the log gets one line when
 * an outage begins and one when it is over, instead of one for each call. It is over with
 * the first call that succeeds after there has been no failure for a while.
 */
public final class Outage {

	/** How long there must have been no failure: one node of a cluster may be away. */
	public static final Duration QUIET = Duration.ofSeconds(5);

	private static final Duration REMINDER = Duration.ofMinutes(1);

	private final long quiet;

	private final AtomicBoolean failing = new AtomicBoolean();

	private volatile long began;

	private volatile long lastFailure;

	private volatile long lastTold;

	/**
	 * Creates what has no outage yet.
	 * @param quiet how long there must have been no failure before an outage is over
	 */
	public Outage(Duration quiet) {
		this.quiet = quiet.toNanos();
	}

	/**
	 * Counts a failure.
	 * @return what is to be told of it
	 */
	public Failure failed() {
		long now = System.nanoTime();
		this.lastFailure = now;
		if (this.failing.compareAndSet(false, true)) {
			this.began = now;
			this.lastTold = now;
			return Failure.FIRST;
		}
		if (now - this.lastTold > REMINDER.toNanos()) {
			this.lastTold = now;
			return Failure.REMINDER;
		}
		return Failure.FURTHER;
	}

	/**
	 * Counts a success; costs next to nothing while there is no outage.
	 * @return how long the outage lasted that this success has ended, or {@code null} if
	 * it has ended none
	 */
	public @Nullable Duration succeeded() {
		if (!this.failing.get() || System.nanoTime() - this.lastFailure < this.quiet) {
			return null;
		}
		Duration lasted = lasted();
		return this.failing.compareAndSet(true, false) ? lasted : null;
	}

	/**
	 * How long the outage lasts already.
	 * @return the time between its first and its latest failure
	 */
	public Duration lasted() {
		return Duration.ofNanos(this.lastFailure - this.began);
	}

	/**
	 * What is to be told of a failure.
	 */
	public enum Failure {

		/** It begins an outage. */
		FIRST,

		/** It belongs to an outage that was told, but a minute or more ago. */
		REMINDER,

		/** It belongs to an outage that was told. */
		FURTHER

	}

}
