package io.idempotent.webmvc.internal.submission;

/**
 * How far a request has come, and what is not known of its end. Safe for use by several
 * threads.
 */
public final class Progress {

	private volatile Step step = Step.NOT_STARTED;

	private volatile Doubt doubt = Doubt.NONE;

	/**
	 * Whether a call of the handler method starts the operation: not while it runs, but
	 * again when a retry advice repeats a failed attempt.
	 */
	public boolean mayStart() {
		return this.step == Step.NOT_STARTED || this.step == Step.FAILED;
	}

	public boolean hasStarted() {
		return this.step.hasStarted();
	}

	public boolean hasFailed() {
		return this.step == Step.FAILED;
	}

	Step step() {
		return this.step;
	}

	Doubt doubt() {
		return this.doubt;
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
		end(Step.SKIPPED);
	}

	public void returned() {
		end(Step.RETURNED);
	}

	void failed() {
		end(Step.FAILED);
	}

	private synchronized void end(Step next) {
		if (this.step == Step.RUNNING) {
			this.step = next;
		}
	}

	/** The response of a method that was not entered stands: false if it was not. */
	synchronized boolean handled() {
		boolean entered = this.step != Step.NOT_STARTED;
		if (!entered) {
			this.step = Step.RETURNED;
		}
		return entered;
	}

	/** Gives the step before. */
	synchronized Step finish() {
		Step last = this.step;
		this.step = Step.FINISHED;
		return last;
	}

	/** It failed, or fails, in a way that leaves open whether it took effect. */
	public void effectUnknown() {
		doubt(Doubt.EFFECT);
	}

	public void timedOut() {
		doubt(Doubt.WHETHER_ENDED);
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.step == Step.RUNNING) {
			timedOut();
		}
	}

	private synchronized void doubt(Doubt more) {
		if (more.compareTo(this.doubt) > 0) {
			this.doubt = more;
		}
	}

	/** Steps of a request. */
	enum Step {

		NOT_STARTED,

		/** The operation does not apply to the call, which runs without a claim. */
		UNPROTECTED,

		/** The handler method runs, or its asynchronous result is awaited. */
		RUNNING,

		FAILED,

		/** Its lock was not obtained: the response is not that of the operation. */
		SKIPPED,

		RETURNED,

		/** The response is sent. */
		FINISHED;

		boolean hasStarted() {
			return compareTo(RUNNING) >= 0;
		}

		/** An asynchronous operation returns when its result is available. */
		boolean hasReturned() {
			return this == RETURNED || this == SKIPPED;
		}

	}

	/** What is not known; each outweighs those before. */
	enum Doubt {

		NONE,

		/** A failure leaves open whether the operation took effect. */
		EFFECT,

		/** The container no longer waits for the result; the operation may still run. */
		WHETHER_ENDED

	}

}
