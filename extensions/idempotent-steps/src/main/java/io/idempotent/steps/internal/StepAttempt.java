package io.idempotent.steps.internal;

import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;

/** An attempt, as the owner of its operation. */
record StepAttempt(OperationKey key, String operation, Fingerprint fingerprint, Owner owner, String node) {

	byte[] keyBytes() {
		return this.key.digest().bytes();
	}

}
