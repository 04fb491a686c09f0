package io.idempotent.submission.claim;

import java.time.Duration;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.submission.event.WatchedStore;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Claim} ended, as it is recorded.
 *
 * @param outcome what repeats get; {@code null} if the operation is not over for its
 * caller
 * @param proven whether a receipt, or what was known before the run, says that it took
 * effect
 */
public record End(Kind kind, @Nullable Outcome outcome, boolean proven) {

	/** It took no effect: the key is free again. */
	public static final End RELEASED = new End(Kind.RELEASED, null, false);

	/** It is unknown whether it took effect. */
	public static final End UNKNOWN = new End(Kind.UNKNOWN, null, false);

	/**
	 * It may still run where it can no longer be observed: nothing is written, and the
	 * outcome is unknown as soon as the lease has ended.
	 */
	public static final End UNOBSERVED = new End(Kind.UNOBSERVED, null, false);

	/** An earlier attempt took effect, and has no answer. */
	public static final End DONE_WITHOUT_ANSWER = proven(Outcome.TOMBSTONE);

	public static End completed(Outcome outcome) {
		return new End(Kind.COMPLETED, outcome, false);
	}

	public static End proven(Outcome outcome) {
		return new End(Kind.COMPLETED, outcome, true);
	}

	/** It took no effect, and repeats get its error. */
	public static End error(Outcome outcome) {
		return new End(Kind.ERROR, outcome, false);
	}

	IdempotencyEvent.Type event() {
		return switch (this.kind) {
			case COMPLETED, ERROR -> IdempotencyEvent.Type.COMPLETED;
			case RELEASED -> IdempotencyEvent.Type.RELEASED;
			case UNKNOWN, UNOBSERVED -> IdempotencyEvent.Type.LEFT_UNKNOWN;
		};
	}

	boolean hasAnswer() {
		return this.outcome instanceof Outcome.Stored;
	}

	/** Without the answer if it cannot be encrypted. */
	End encrypted(OperationKey key, WatchedStore store) {
		Outcome stored = (this.outcome != null) ? store.encrypt(key, this.outcome) : null;
		if (stored == this.outcome) {
			return this;
		}
		return (stored == Outcome.TOMBSTONE) ? withoutAnswer() : new End(this.kind, stored, this.proven);
	}

	/** An effect must not happen again; an error may. */
	End withoutAnswer() {
		return (this.kind == Kind.ERROR) ? RELEASED : completed(Outcome.TOMBSTONE);
	}

	Ownership writeTo(WatchedStore store, ClaimId claim, Duration retention) {
		return (this.outcome != null) ? store.complete(claim, this.outcome, retention)
				: store.release(claim, (this.kind == Kind.RELEASED) ? Release.NO_EFFECT : Release.UNKNOWN);
	}

	public enum Kind {

		COMPLETED, ERROR, RELEASED, UNKNOWN, UNOBSERVED

	}

}
