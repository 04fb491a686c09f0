package io.idempotent.submission;

/**
 * How far a submission has come. A transition that does not apply to a state returns that
 * state.
 */
enum Progress {

	NOT_BEGUN,

	/** Code of the operation has begun, in any run of a caller that retries. */
	BEGUN,

	/** As {@link #BEGUN}, and again after the guarded transaction was committed. */
	BEGUN_AFTER_COMMIT,

	/** The latest run was refused, and none has begun. */
	REFUSED,

	/** The latest run was refused: its claim was lost, or there is no answer. */
	REFUSED_AFTER_BEGIN,

	/** It gets the answer of an attempt that took effect. */
	REBUILT;

	boolean hasBegun() {
		return this != NOT_BEGUN && this != REFUSED;
	}

	boolean isRefused() {
		return this == REFUSED || this == REFUSED_AFTER_BEGIN;
	}

	/** A caller repeats the run. */
	Progress again() {
		return (this == BEGUN_AFTER_COMMIT) ? BEGUN : this;
	}

	/** The claim is held. */
	Progress admitted() {
		return (this == REFUSED) ? NOT_BEGUN : (this == REFUSED_AFTER_BEGIN) ? BEGUN : this;
	}

	Progress refused() {
		return hasBegun() ? REFUSED_AFTER_BEGIN : REFUSED;
	}

}
