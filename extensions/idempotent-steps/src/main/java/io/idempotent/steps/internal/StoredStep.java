package io.idempotent.steps.internal;

import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/** A step that an attempt has begun; the result is {@code null} until it is done. */
record StoredStep(String name, State state, Outcome.@Nullable Stored result) {

	static StoredStep of(String name, State state) {
		return new StoredStep(name, state, null);
	}

	static StoredStep of(String name, String state, byte @Nullable [] result) {
		return new StoredStep(name, State.valueOf(state), (result != null) ? new Outcome.Stored(result) : null);
	}

	enum State {

		/** The call of an external step may have taken effect. */
		STARTED,

		/** The transaction of a step was rolled back. */
		FAILED,

		DONE

	}

}
