package io.idempotent.method.internal.call;

import io.idempotent.WhenCompleted;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of one call, encoded to be stored.
 */
final class CallResult {

	private final CallOperation operation;

	private final EffectProof proof;

	private volatile @Nullable Object value;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	CallResult(CallOperation operation, EffectProof proof) {
		this.operation = operation;
		this.proof = proof;
	}

	/** The encoded result; a tombstone if there is none, or if it is not replayed. */
	Outcome outcome() {
		return this.outcome;
	}

	/**
	 * Encodes the result, unless it is encoded already. If a transaction of the call is
	 * still open, the result is stored with its receipt.
	 */
	void set(@Nullable Object result) {
		if (this.operation.policy().whenCompleted() != WhenCompleted.REPLAY || isEncoded(result)) {
			return;
		}
		this.outcome = this.operation.results().encode(result, this.operation.name());
		this.value = result;
		this.proof.commitsWith(this.outcome);
	}

	private boolean isEncoded(@Nullable Object result) {
		return result != null && result == this.value;
	}

	/**
	 * Discards the result of an earlier invocation, or of an earlier call under the same
	 * claim, which was rolled back.
	 */
	void discard() {
		this.value = null;
		this.proof.commitsWith(Outcome.TOMBSTONE);
	}

}
