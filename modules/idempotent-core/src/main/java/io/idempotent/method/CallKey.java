package io.idempotent.method;

import java.time.Duration;
import java.util.List;

import io.idempotent.engine.Submission;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;

/**
 * What names one call of an operation.
 *
 * @param kind how it is written; keys of different kinds are different keys
 * @param canonical the content in the form that counts
 * @param text the content as a reader wants it
 */
record CallKey(String kind, String canonical, String text) {

	/**
	 * The submission. The key says all there is to compare, so it is its own fingerprint.
	 * @param namespace the application
	 * @param operation the name of the operation
	 * @return the submission
	 */
	Submission submission(String namespace, String operation) {
		OperationKey key = OperationKey.of(namespace, operation, List.of("call", this.kind), this.canonical);
		return new Submission(key, this.text, new Fingerprint(key.digest()), Admission.OPEN, Duration.ZERO);
	}

}
