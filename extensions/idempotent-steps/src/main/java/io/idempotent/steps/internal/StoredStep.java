package io.idempotent.steps.internal;

import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/** A step that an attempt has begun; the result is {@code null} until it is done. */
record StoredStep(String name, Outcome.@Nullable Stored result) {

	static StoredStep of(String name, byte @Nullable [] result) {
		return new StoredStep(name, (result != null) ? new Outcome.Stored(result) : null);
	}

}
