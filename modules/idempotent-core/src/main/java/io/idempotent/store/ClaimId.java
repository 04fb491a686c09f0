package io.idempotent.store;

/**
 * Identifies a granted claim to the store.
 *
 * @param fingerprint the digest of the submission's content
 * @param attempt the number of the claim
 */
public record ClaimId(OperationKey key, Owner owner, Fingerprint fingerprint, int attempt) {
}
