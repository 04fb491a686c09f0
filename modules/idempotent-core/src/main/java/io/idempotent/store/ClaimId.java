package io.idempotent.store;

/**
 * Identifies a granted claim to the store.
 *
 * @param key the operation key
 * @param owner the owner of the claim
 * @param fingerprint the digest of the submission's content
 * @param attempt the number of the claim
 */
public record ClaimId(OperationKey key, Owner owner, Fingerprint fingerprint, int attempt) {
}
