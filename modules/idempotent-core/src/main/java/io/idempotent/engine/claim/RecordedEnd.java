package io.idempotent.engine.claim;

import io.idempotent.WhenFailed;
import io.idempotent.engine.claim.Ending.Plain;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/** What is recorded of a run, after its receipt was asked. */
sealed interface RecordedEnd {

	record Done(Outcome outcome, Basis basis) implements RecordedEnd {
	}

	enum Basis {

		REPORTED,

		/** A receipt proves it, although the run failed or reported the contrary. */
		PROVEN,

		/** It had no effect, but answered with an error that is replayed. */
		ERROR

	}

	enum Open implements RecordedEnd {

		FREED,

		UNKNOWN,

		/** Nothing is recorded: the lease ends. */
		SILENT

	}

	/**
	 * Decides what is recorded. The order of the questions counts where the answers
	 * contradict one another: a receipt outweighs every report but {@code Completed}.
	 * {@code earlierOutcome} is the outcome of an earlier attempt that took effect.
	 */
	static RecordedEnd of(Ending ending, EffectProof proof, @Nullable Outcome earlierOutcome, WhenFailed whenFailed) {
		if (ending instanceof Ending.Completed completed) {
			return new Done(completed.outcome(), Basis.REPORTED);
		}
		if (ending == Plain.STILL_RUNNING) {
			return Open.SILENT;
		}
		boolean skipped = ending == Plain.SKIPPED && !proof.isCommitted() && !proof.isInDoubt();
		if (ending == Plain.NOT_STARTED || skipped) {
			return Open.FREED;
		}
		if (ending == Plain.IN_DOUBT) {
			proof.markInDoubt();
		}
		boolean noEffect = ending == Plain.NO_EFFECT || ending == Plain.SKIPPED;
		boolean saysNoEffect = noEffect || (ending instanceof Ending.RecordedError error && error.saysNoEffect());
		if (saysNoEffect && earlierOutcome == null) {
			proof.withdraw();
		}
		Outcome found = (earlierOutcome != null) ? earlierOutcome : proof.find();
		if (found != null) {
			return new Done(found, Basis.PROVEN);
		}
		if (proof.isReused()) {
			return Open.FREED;
		}
		if (ending == Plain.COMMITTED) {
			return new Done(Outcome.TOMBSTONE, Basis.REPORTED);
		}
		if (ending == Plain.UNKNOWN || proof.isInDoubt() || (ending == Plain.IN_DOUBT && proof == EffectProof.NONE)) {
			return Open.UNKNOWN;
		}
		if (ending instanceof Ending.RecordedError error && !proof.mayStillCommit()) {
			return new Done(error.error(), Basis.ERROR);
		}
		return (noEffect || whenFailed != WhenFailed.UNKNOWN) ? Open.FREED : Open.UNKNOWN;
	}

}
