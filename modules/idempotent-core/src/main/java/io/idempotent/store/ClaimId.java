package io.idempotent.store;

import org.jspecify.annotations.Nullable;

/**
 * Identifies a granted claim to the store, with what the finished record needs of it.
 *
 * @param fingerprint the digest of what was submitted: content and, over HTTP, operation
 * and path
 * @param attempt the number of the claim, from 1; 0 for a run without a claim
 * @param origin the origin of the run, as requested with the claim; {@code null} for none
 */
public record ClaimId(OperationKey key, Owner owner, Fingerprint fingerprint, int attempt, @Nullable Origin origin) {

	/** The name of the operation; a dash if there is no origin. */
	public String operation() {
		return (this.origin != null) ? this.origin.operation() : "-";
	}

	@Override
	public String toString() {
		return "operation '" + operation() + "' (key " + this.key + ")";
	}

}
