package io.idempotent.webmvc.internal.submission;

/**
 * How far a request has come, and what is not known of its end. It no longer changes once
 * the request has finished. Safe for use by several threads.
 */
public final class Progress {

	private volatile Step step = Step.NOT_STARTED;

	private volatile boolean effectUnknown;

	private volatile boolean mayStillRun;

	private volatile boolean finished;

	/**
	 * Whether a call of the handler method starts the operation: not while it runs, but
	 * again when a retry advice repeats a failed attempt.
	 */
	public boolean mayStart() {
		return !this.finished && (this.step == Step.NOT_STARTED || this.step == Step.FAILED);
	}

	public boolean hasStarted() {
		return this.step.compareTo(Step.RUNNING) >= 0;
	}

	public boolean hasFailed() {
		return this.step == Step.FAILED;
	}

	/** Its lock was not obtained. */
	boolean isSkipped() {
		return this.step == Step.SKIPPED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this.step == Step.RETURNED || isSkipped();
	}

	/** Whether the method was not called, or not on the thread of the request. */
	public boolean isUnnoticed() {
		return this.step == Step.NOT_STARTED;
	}

	/** It failed in a way that leaves open whether it took effect. */
	boolean isEffectUnknown() {
		return this.effectUnknown;
	}

	/** The container no longer waits for the result. */
	boolean mayStillRun() {
		return this.mayStillRun;
	}

	public void started() {
		start(Step.RUNNING);
	}

	void unprotected() {
		start(Step.UNPROTECTED);
	}

	private synchronized void start(Step next) {
		if (mayStart()) {
			this.step = next;
		}
	}

	/** Its lock was not obtained. */
	public void skipped() {
		end(Step.RUNNING, Step.SKIPPED);
	}

	public void returned() {
		end(Step.RUNNING, Step.RETURNED);
	}

	void failed() {
		end(Step.RUNNING, Step.FAILED);
	}

	/** The response of a method that was not noticed stands. */
	void answered() {
		end(Step.NOT_STARTED, Step.RETURNED);
	}

	private synchronized void end(Step present, Step next) {
		if (this.step == present && !this.finished) {
			this.step = next;
		}
	}

	public void effectUnknown() {
		this.effectUnknown = true;
	}

	public void timedOut() {
		this.mayStillRun = true;
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.step == Step.RUNNING) {
			timedOut();
		}
	}

	/** {@code false} if it had finished before. */
	synchronized boolean finish() {
		boolean first = !this.finished;
		this.finished = true;
		return first;
	}

	private enum Step {

		NOT_STARTED,

		/** The operation does not apply to the call, which runs without a claim. */
		UNPROTECTED,

		/** The handler method runs, or its asynchronous result is awaited. */
		RUNNING,

		FAILED,

		/** Its lock was not obtained: the response is not that of the operation. */
		SKIPPED,

		RETURNED

	}

}
