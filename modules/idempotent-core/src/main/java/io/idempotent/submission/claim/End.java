package io.idempotent.submission.claim;

import java.time.Duration;

import io.idempotent.IdempotencyEvent;
import io.idempotent.WhenFailed;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.submission.receipt.AttemptReceipt;
import org.jspecify.annotations.Nullable;

/**
 * How a run under a {@link Claim} ended. An entrance reports what it can tell. A run that
 * was refused corrects the report, of which it knows more; since the receipt of the
 * operation may know even better, another end may be {@link #recorded}.
 */
public sealed interface End {

	/** What repeats get; {@code null} if the operation is not over for its caller. */
	default @Nullable Outcome outcome() {
		return null;
	}

	/** The event of an end that is recorded. */
	default IdempotencyEvent.Type event() {
		return (outcome() != null) ? IdempotencyEvent.Type.COMPLETED
				: (this == Unanswered.NO_EFFECT) ? IdempotencyEvent.Type.RELEASED : IdempotencyEvent.Type.LEFT_UNKNOWN;
	}

	/** Tells the store of an end that is recorded. */
	default Ownership writeTo(IdempotencyStore store, ClaimId claim, Duration retention) {
		Outcome outcome = outcome();
		return (outcome != null) ? store.complete(claim, outcome, retention)
				: store.release(claim, (this == Unanswered.NO_EFFECT) ? Release.NO_EFFECT : Release.UNKNOWN);
	}

	/**
	 * Decides what is recorded: an end with an outcome, {@link Unanswered#NO_EFFECT},
	 * {@link Unanswered#UNKNOWN} or {@link Unanswered#UNOBSERVED}. The order of the
	 * questions counts where the answers contradict one another: a receipt outweighs
	 * every report but {@code Completed}.
	 */
	default End recorded(AttemptReceipt receipt, WhenFailed whenFailed) {
		if (this instanceof Completed || this == Unanswered.UNOBSERVED) {
			return this;
		}
		boolean skipped = this == Unanswered.SKIPPED && !receipt.isCommitted() && !receipt.isInDoubt();
		if (this == Unanswered.NOT_STARTED || skipped) {
			return Unanswered.NO_EFFECT;
		}
		if (this == Unanswered.IN_DOUBT) {
			receipt.markInDoubt();
		}
		boolean noEffect = this == Unanswered.NO_EFFECT || this == Unanswered.SKIPPED;
		boolean saysNoEffect = noEffect || (this instanceof RecordedError error && error.saysNoEffect());
		if (saysNoEffect) {
			receipt.withdraw();
		}
		Outcome found = receipt.find();
		if (found != null) {
			return new Completed(found, true);
		}
		if (receipt.isReused()) {
			return Unanswered.NO_EFFECT;
		}
		if (this == Unanswered.COMMITTED) {
			return new Completed(Outcome.TOMBSTONE);
		}
		if (this == Unanswered.UNKNOWN || receipt.isInDoubt()
				|| (this == Unanswered.IN_DOUBT && receipt == AttemptReceipt.NONE)) {
			return Unanswered.UNKNOWN;
		}
		if (this instanceof RecordedError && !receipt.mayStillCommit()) {
			return this;
		}
		return (noEffect || whenFailed != WhenFailed.UNKNOWN) ? Unanswered.NO_EFFECT : Unanswered.UNKNOWN;
	}

	/**
	 * It took effect.
	 *
	 * @param proven whether a receipt, or what was known before the run, says so
	 */
	record Completed(Outcome outcome, boolean proven) implements End {

		/** An earlier attempt took effect, and has no answer. */
		public static final Completed BEFORE = new Completed(Outcome.TOMBSTONE, true);

		public Completed(Outcome outcome) {
			this(outcome, false);
		}
	}

	/**
	 * It answered with an error that is recorded and replayed, unless it took effect.
	 * While a commit may still arrive, {@link WhenFailed} decides instead. If the error
	 * says that there is no effect, a committed receipt is deleted first.
	 */
	record RecordedError(Outcome outcome, boolean saysNoEffect) implements End {
	}

	/** An end without an answer for repeats. */
	enum Unanswered implements End {

		/** The key is freed. */
		NOT_STARTED,

		/** The key is freed; a receipt that was committed nevertheless is deleted. */
		SKIPPED,

		/**
		 * It reported that it took no effect: the key is freed. A receipt that this
		 * attempt is known to have committed is deleted. If that fails, or another
		 * attempt or a commit in doubt has left the receipt, the operation is recorded as
		 * done.
		 */
		NO_EFFECT,

		/**
		 * It failed. If this or another attempt took effect nevertheless, that is
		 * recorded; otherwise {@link WhenFailed} decides.
		 */
		FAILED,

		/** It took effect, but has no answer: what its receipt holds is recorded. */
		COMMITTED,

		/** The receipt decides. Without receipts the outcome is unknown. */
		IN_DOUBT,

		/** The outcome is unknown, unless its receipt proves that it took effect. */
		UNKNOWN,

		/**
		 * It may still run where it can no longer be observed: nothing is written, and
		 * the outcome is unknown as soon as the lease has ended.
		 */
		UNOBSERVED

	}

}
