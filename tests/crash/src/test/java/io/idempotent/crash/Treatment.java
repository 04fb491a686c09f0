package io.idempotent.crash;

import java.util.Locale;

/**
 * How an operation wants to be treated whose owner fell silent.
 */
enum Treatment {

	RERUN,

	/** As {@link #RERUN}, and an answer that was not kept is rebuilt. */
	RECOVER,

	REJECT, ASK, BURN;

	/**
	 * Whether a request comes past the point: a burnt claim is its own record.
	 * @param point the point
	 * @return whether it does
	 */
	boolean passes(CrashPoint point) {
		return this != BURN || (point != CrashPoint.BEFORE_RECORD && point != CrashPoint.AFTER_RECORD);
	}

	String path() {
		return "/effects/" + name().toLowerCase(Locale.ROOT);
	}

}
