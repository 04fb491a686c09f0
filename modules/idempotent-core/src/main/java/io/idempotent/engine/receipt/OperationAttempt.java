package io.idempotent.engine.receipt;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;

/**
 * One attempt to run an operation.
 *
 * @param key the operation key
 * @param owner the owner of the claim, or of the claim that would have been made
 * @param number the number of the claim, 0 without a claim
 * @param operation the name of the operation
 */
public record OperationAttempt(OperationKey key, Owner owner, int number, String operation) {

	@Override
	public String toString() {
		return "operation '" + this.operation + "' (key " + this.key + ")";
	}

}
