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
 * How a {@link Claim} ended.
 *
 * @param outcome what repeats get; {@code null} if the operation is not over for its
 * caller
 * @param stored the same as it is recorded, perhaps encrypted
 * @param proven whether a receipt, or what was known before the run, says that it took
 * effect
 */
public record End(Kind kind, @Nullable Outcome outcome, @Nullable Outcome stored, boolean proven) {

	/** It took no effect: the key is free again. */
	public static final End RELEASED = new End(Kind.RELEASED, null, null, false);

	/** It is unknown whether it took effect. */
	public static final End UNKNOWN = new End(Kind.UNKNOWN, null, null, false);

	/**
	 * It may still run where it can no longer be observed: nothing is written, and the
	 * outcome is unknown as soon as the lease has ended.
	 */
	public static final End UNOBSERVED = new End(Kind.UNOBSERVED, null, null, false);

	/** An earlier attempt took effect, and has no answer. */
	public static final End DONE_WITHOUT_ANSWER = proven(Outcome.TOMBSTONE);

	public static End completed(Outcome outcome) {
		return new End(Kind.COMPLETED, outcome, outcome, false);
	}

	public static End proven(Outcome outcome) {
		return new End(Kind.COMPLETED, outcome, outcome, true);
	}

	/** It took no effect, and repeats get its error. */
	public static End error(Outcome outcome) {
		return new End(Kind.ERROR, outcome, outcome, false);
	}

	IdempotencyEvent.Type event() {
		return switch (this.kind) {
			case COMPLETED, ERROR -> IdempotencyEvent.Type.COMPLETED;
			case RELEASED -> IdempotencyEvent.Type.RELEASED;
			case UNKNOWN, UNOBSERVED -> IdempotencyEvent.Type.LEFT_UNKNOWN;
		};
	}

	/** As it is recorded, which may be without the answer: see {@link #with}. */
	End encrypted(OperationKey key, WatchedStore store) {
		return (this.outcome != null) ? with(this.outcome, store.encrypt(key, this.outcome)) : this;
	}

	/** Without the answer, so that it needs no memory. */
	End withoutAnswer() {
		return (this.outcome != null) ? with(Outcome.TOMBSTONE, Outcome.TOMBSTONE) : this;
	}

	/** An effect whose answer cannot be stored must not happen again; an error may. */
	private End with(Outcome outcome, Outcome stored) {
		return (this.kind == Kind.ERROR && stored == Outcome.TOMBSTONE) ? RELEASED
				: new End(this.kind, outcome, stored, this.proven);
	}

	Ownership writeTo(WatchedStore store, ClaimId claim, Duration retention) {
		return (this.stored != null) ? store.complete(claim, this.stored, retention)
				: store.release(claim, (this.kind == Kind.RELEASED) ? Release.NO_EFFECT : Release.UNKNOWN);
	}

	public enum Kind {

		COMPLETED, ERROR, RELEASED, UNKNOWN, UNOBSERVED

	}

}
