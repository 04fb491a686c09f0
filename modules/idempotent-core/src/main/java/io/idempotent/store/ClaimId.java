package io.idempotent.store;

/**
 * A granted claim, as its owner names it to the store.
 *
 * @param key which operation
 * @param owner who holds it
 * @param fingerprint what the operation was asked to do
 * @param attempt the number of the claim
 */
public record ClaimId(OperationKey key, Owner owner, Fingerprint fingerprint, int attempt) {
}
