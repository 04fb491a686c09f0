package io.idempotent.logging;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Tracks the outages of a remote service, so that one line is logged when an outage
 * starts and one when it ends. An outage ends with the first success after its last
 * failure, which is known after a while without failures. Knows only of calls: nothing is
 * said of a time without them. Safe for use by several threads.
 */
public final class Outage {

	/** The default time without failures: one node of a cluster may be unavailable. */
	public static final Duration QUIET = Duration.ofSeconds(5);

	private static final Duration REMINDER = Duration.ofMinutes(1);

	private final long quiet;

	private volatile boolean failing;

	private long began;

	private long failures;

	private long lastFailure;

	private long lastLogged;

	/** The first success after the last failure. */
	private @Nullable Long recovered;

	private boolean interrupted;

	public Outage(Duration quiet) {
		this.quiet = quiet.toNanos();
	}

	public synchronized Failure failed() {
		long now = System.nanoTime();
		this.lastFailure = now;
		this.failures++;
		if (!this.failing) {
			this.failing = true;
			this.began = now;
			this.failures = 1;
			this.lastLogged = now;
			this.interrupted = false;
			return Failure.FIRST;
		}
		this.interrupted |= this.recovered != null;
		this.recovered = null;
		if (now - this.lastLogged > REMINDER.toNanos()) {
			this.lastLogged = now;
			return Failure.REMINDER;
		}
		return Failure.FURTHER;
	}

	/**
	 * What is known of the outage that this success ends; {@code null} if it ends none.
	 */
	public @Nullable String succeeded() {
		return this.failing ? recover(System.nanoTime()) : null;
	}

	private synchronized @Nullable String recover(long now) {
		if (this.failing && this.recovered == null) {
			this.recovered = now;
		}
		if (!this.failing || this.recovered == null || now - this.lastFailure < this.quiet) {
			return null;
		}
		String known = since(this.recovered) + " from the first failure to the first success after the last one; "
				+ calls();
		this.failing = false;
		this.recovered = null;
		return known;
	}

	public boolean isFailing() {
		return this.failing;
	}

	/** What is known of the outage after a failure. */
	public synchronized String soFar() {
		return "the first failure was " + since(this.lastFailure) + " ago; " + calls();
	}

	private String since(long end) {
		return DurationText.ofMeasured(Duration.ofNanos(end - this.began));
	}

	private String calls() {
		return "failed calls: " + this.failures + (this.interrupted ? ", with successes between them" : "");
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
