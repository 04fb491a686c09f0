package io.idempotent.method.internal.call;

import io.idempotent.method.json.ResultCodec;
import io.idempotent.submission.policy.OperationPolicy;

/**
 * The operation of a call. With {@code acknowledges}, the duplicate of a completed call
 * returns normally even without a result, so that a message is not delivered again.
 */
public record CallOperation(OperationPolicy policy, ResultCodec results, boolean acknowledges) {

	public CallOperation recovering() {
		return new CallOperation(this.policy.recovering(), this.results, this.acknowledges);
	}

	public String name() {
		return this.policy.operation();
	}

}
