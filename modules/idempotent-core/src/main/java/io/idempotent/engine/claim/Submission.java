package io.idempotent.engine.claim;

import java.time.Duration;

import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;

/**
 * One request to run an operation.
 *
 * @param key the operation key
 * @param keyValue the key value as the caller sent it, for an
 * {@link io.idempotent.OutcomeVerifier}
 * @param fingerprint the digest of the content
 * @param admission whether the key must have been issued
 * @param keyLife how long the key itself stays valid, as a token does; the record is kept
 * at least as long. Zero if the key does not expire by itself.
 */
public record Submission(OperationKey key, String keyValue, Fingerprint fingerprint, ClaimRequest.Admission admission,
		Duration keyLife) {
}
