package io.idempotent.submission.event;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one submission, from the claim of its key until the outcome is
 * recorded. Several threads may use it, one after another.
 */
public interface SubmissionObservation {

	SubmissionObservation NONE = new SubmissionObservation() {
	};

	/** Makes it the current observation of this thread: the parent of those within. */
	default Scope openScope() {
		return Scope.NONE;
	}

	/**
	 * The gate has decided.
	 * @param attempt the number of the attempt that runs or gave the answer, or 0
	 * @param origin of the run that is replayed; {@code null} where it is not known
	 */
	default void decided(OperationKey key, int attempt, @Nullable Origin origin) {
	}

	/** The error of the submission; {@code null} if an earlier one no longer counts. */
	default void failed(@Nullable Throwable failure) {
	}

	/**
	 * Ends the observation once; further calls do nothing.
	 * @param outcome the code of a {@code SubmissionOutcome} or {@code Refusal}
	 */
	default void end(String outcome) {
	}

	interface Scope extends AutoCloseable {

		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
