package io.idempotent.webmvc.internal.submission;

/** How far a submission has come. */
enum Progress {

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

	/** Not while it runs, but again when a retry advice repeats a failed attempt. */
	boolean mayStart() {
		return this == NOT_STARTED || this == FAILED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this == RETURNED || this == SKIPPED;
	}

	/** The next progress, if the operation may start; otherwise this. */
	Progress starting(Progress next) {
		return mayStart() ? next : this;
	}

	/** The next progress, if the operation runs; otherwise this. */
	Progress ended(Progress next) {
		return (this == RUNNING) ? next : this;
	}

	/** The response of a method that was not entered stands. */
	Progress handled() {
		return (this == NOT_STARTED) ? RETURNED : this;
	}

}
