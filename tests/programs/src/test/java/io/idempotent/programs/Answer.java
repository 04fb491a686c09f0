package io.idempotent.programs;

import org.jspecify.annotations.Nullable;

/**
 * What came of a call: a value or an exception.
 *
 * @param value what it returned, {@code null} if it threw
 * @param failure what it threw, {@code null} if it returned
 */
record Answer(@Nullable String value, @Nullable Throwable failure) {

	static Answer returned(String value) {
		return new Answer(value, null);
	}

	static Answer threw(Throwable failure) {
		return new Answer(null, failure);
	}

	@Override
	public String toString() {
		return (this.failure != null) ? this.failure.toString() : String.valueOf(this.value);
	}

}
