package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;

/**
 * One request to run an operation, as an entrance names it.
 *
 * @param key the operation key
 * @param keyValue the key value as the caller sent it, for an
 * {@link io.idempotent.OutcomeVerifier}
 * @param fingerprint what the operation is asked to do
 * @param admission whether the key must have been issued
 * @param keyLife how long the key stays valid by itself (a signed token); the record must
 * not be forgotten before that. Zero where a key has no life of its own.
 */
public record Submission(OperationKey key, String keyValue, Fingerprint fingerprint, ClaimRequest.Admission admission,
		Duration keyLife) {
}
