package io.idempotent.boot.metrics;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;

/** A tag of meters, which is named like its constant. */
enum MeterTag implements KeyName {

	/**
	 * What was asked: {@code claim}, {@code complete}, {@code renew}, {@code release} or
	 * {@code issue}.
	 */
	CALL,

	/**
	 * What a claim met ({@code granted}, {@code in-progress}, {@code completed},
	 * {@code unknown}, {@code key-reused} or {@code not-issued}), whether the owner still
	 * {@code held} the claim or had {@code lost} it, {@code issued}; or that the store
	 * was {@code unavailable} or the call {@code failed} otherwise.
	 */
	RESULT,

	/**
	 * {@code written}: committed with the effect. {@code refused}: it existed before, so
	 * that the transaction of another attempt was rolled back. {@code withdrawn}:
	 * deleted, because the operation reported that it had no effect. {@code resolved}: it
	 * decided an unknown outcome.
	 */
	EVENT,

	/** The name of the lock engine. */
	ENGINE,

	/** How the hold ended: {@code released} or {@code lost}. */
	END,

	/** The group of the lock: its name up to the first colon. */
	GROUP;

	@Override
	public String asString() {
		return value(this);
	}

	static String value(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
