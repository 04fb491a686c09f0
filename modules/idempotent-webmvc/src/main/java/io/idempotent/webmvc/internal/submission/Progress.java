package io.idempotent.webmvc.internal.submission;

/** How far a submission has come. */
enum Progress {

	NOT_STARTED,

	/** As {@link #NOT_STARTED}, and the application allows a replay. */
	AUTHORIZED,

	/** The operation does not apply to the call, which runs without a claim. */
	UNPROTECTED,

	/** The handler method runs, or its asynchronous result is awaited. */
	RUNNING,

	FAILED,

	/** Its lock was not obtained: the response is not that of the operation. */
	SKIPPED,

	RETURNED,

	/** The container no longer waits for the result; the operation may still run. */
	TIMED_OUT,

	/** The application has answered in place of an operation that timed out. */
	ANSWERED_LATE,

	/** The response is sent. */
	FINISHED;

	boolean hasStarted() {
		return compareTo(RUNNING) >= 0;
	}

	/** Not while it runs, but again when a retry advice repeats a failed attempt. */
	boolean mayStart() {
		return this == NOT_STARTED || this == AUTHORIZED || this == FAILED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this == RETURNED || this == SKIPPED || this == ANSWERED_LATE;
	}

	Progress started() {
		return mayStart() ? RUNNING : this;
	}

	/** The response of a method that was not entered stands. */
	Progress handled() {
		return (this == NOT_STARTED || this == AUTHORIZED) ? RETURNED : this;
	}

	/** When an operation that runs has come to one of the other states. */
	Progress ended(Progress end) {
		if (this == TIMED_OUT && end == RETURNED) {
			return ANSWERED_LATE;
		}
		return (this == RUNNING) ? end : this;
	}

	Progress timedOut() {
		if (this == FINISHED) {
			return FINISHED;
		}
		return (this == RETURNED || this == ANSWERED_LATE) ? ANSWERED_LATE : TIMED_OUT;
	}

}
