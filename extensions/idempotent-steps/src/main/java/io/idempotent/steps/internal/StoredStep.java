package io.idempotent.steps.internal;

import org.jspecify.annotations.Nullable;

/** A step that an attempt has begun; the result is {@code null} until it is done. */
record StoredStep(String name, byte @Nullable [] result) {

	boolean isDone() {
		return this.result != null;
	}

}
