package io.idempotent.engine.receipt;

import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;

/**
 * One attempt to run an operation; its number is 0 without a claim, and its owner then
 * that of the claim that would have been made.
 */
public record OperationAttempt(OperationKey key, Owner owner, int number, String operation, Fingerprint fingerprint) {

	@Override
	public String toString() {
		return "operation '" + this.operation + "' (key " + this.key + ")";
	}

}
