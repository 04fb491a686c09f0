package io.idempotent.method.internal.call;

import java.time.Duration;
import java.util.List;

import io.idempotent.engine.claim.Submission;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;

/**
 * The key of one call of an operation.
 *
 * @param kind the kind of content; keys of different kinds are different keys
 * @param canonical the canonical form of the content
 * @param text the readable form of the content
 */
public record CallKey(String kind, String canonical, String text) {

	/**
	 * Creates the submission. The key contains all content that is compared, so that its
	 * digest is the fingerprint.
	 * @param namespace the application
	 * @param operation the name of the operation
	 */
	public Submission submission(String namespace, String operation) {
		OperationKey key = OperationKey.of(namespace, operation, List.of("call", this.kind), this.canonical);
		return new Submission(key, this.text, new Fingerprint(key.digest()), Admission.OPEN, Duration.ZERO);
	}

}
