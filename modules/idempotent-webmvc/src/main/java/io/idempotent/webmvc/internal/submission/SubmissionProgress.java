package io.idempotent.webmvc.internal.submission;

import org.jspecify.annotations.Nullable;

/**
 * How far the handler method has come. Several threads may update and read it.
 */
public final class SubmissionProgress {

	private volatile State state = Phase.NOT_STARTED;

	private volatile boolean timedOut;

	private volatile boolean effectUnknown;

	/** Not while it runs, but again when a retry advice repeats a failed attempt. */
	public boolean mayStart() {
		return this.state == Phase.NOT_STARTED || this.state instanceof Failed;
	}

	public boolean hasNotStarted() {
		return this.state == Phase.NOT_STARTED;
	}

	boolean isSkipped() {
		return this.state == Phase.SKIPPED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this.state == Phase.RETURNED || this.state == Phase.SKIPPED;
	}

	public boolean failedWith(Throwable thrown) {
		return this.state instanceof Failed failed && failed.thrown() == thrown;
	}

	public void started() {
		this.state = Phase.RUNNING;
	}

	/** Its lock was not obtained: the response is not that of the operation. */
	public void skipped() {
		this.state = Phase.SKIPPED;
	}

	public void returned() {
		this.state = Phase.RETURNED;
	}

	/** The response of a method that was not entered stands; returns whether it was. */
	boolean handled() {
		boolean entered = !hasNotStarted();
		if (!entered) {
			returned();
		}
		return entered;
	}

	void failed(Throwable thrown) {
		this.state = new Failed(thrown);
	}

	public void resumed(@Nullable Object result) {
		if (this.state != Phase.RUNNING) {
			return;
		}
		if (result instanceof Throwable thrown) {
			failed(thrown);
		}
		else {
			returned();
		}
	}

	/** Nobody waits for a result, as with a reason in {@code @ResponseStatus}. */
	public void endedSynchronously() {
		if (this.state == Phase.RUNNING) {
			returned();
		}
	}

	/** The container no longer waits for the result; the operation may still run. */
	void timedOut() {
		this.timedOut = true;
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.state == Phase.RUNNING) {
			timedOut();
		}
	}

	boolean isTimedOut() {
		return this.timedOut;
	}

	/** The operation failed in a way that leaves open whether it took effect. */
	public void effectUnknown() {
		this.effectUnknown = true;
	}

	boolean isEffectUnknown() {
		return this.effectUnknown;
	}

	private sealed interface State {

	}

	private enum Phase implements State {

		NOT_STARTED, RUNNING, SKIPPED, RETURNED

	}

	private record Failed(Throwable thrown) implements State {
	}

}
