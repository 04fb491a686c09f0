package io.idempotent.lock.engine;

import java.util.Locale;

/**
 * How the acquisition of a lock ended.
 */
public enum AcquisitionOutcome {

	/** The lock was obtained. */
	OBTAINED,

	/** The lock was not obtained in time, since another holder had it. */
	NOT_OBTAINED,

	/** The engine was unavailable, or the locks of the application were closed. */
	UNAVAILABLE,

	/** The waiting thread was interrupted. */
	INTERRUPTED,

	/** An unexpected exception ended the acquisition. */
	ERROR;

	/** The code in metrics and spans: lower case words, joined by hyphens. */
	public String code() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
