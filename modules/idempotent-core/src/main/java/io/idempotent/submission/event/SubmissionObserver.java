package io.idempotent.submission.event;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions, for metrics and traces. Safe for use by several threads; must
 * neither block nor throw.
 */
@FunctionalInterface
public interface SubmissionObserver {

	/** Observes nothing, and allocates nothing. */
	SubmissionObserver NONE = (operation, entrance) -> SubmissionObservation.NONE;

	/**
	 * A submission starts, before its key is claimed.
	 * @param operation its name, suited for a tag
	 * @return the observation, which must be ended
	 */
	SubmissionObservation start(String operation, Entrance entrance);

	/**
	 * The W3C {@code traceparent} of the current thread, which is kept with the record of
	 * a run, or {@code null} outside of a trace.
	 */
	default @Nullable String currentTrace() {
		return null;
	}

	/** How an operation is submitted. */
	enum Entrance {

		HTTP,

		/** By the call of a bean's method, or by the template. */
		METHOD

	}

	/**
	 * The observation of one submission, from the claim of its key until the outcome is
	 * recorded. Several threads may use it, one after another.
	 */
	@FunctionalInterface
	interface SubmissionObservation {

		/** Observes nothing. */
		SubmissionObservation NONE = (outcome) -> {
		};

		/**
		 * Makes it the current observation of this thread: the parent of those within.
		 */
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

		/**
		 * The error of the submission; {@code null} if an earlier one no longer counts.
		 */
		default void failed(@Nullable Throwable thrown) {
		}

		/**
		 * Ends the observation once; further calls do nothing.
		 * @param outcome the code of a {@code SubmissionOutcome} or {@code Refusal}
		 */
		void end(String outcome);

		/** The time in which it is the current observation of a thread. */
		interface Scope extends AutoCloseable {

			Scope NONE = () -> {
			};

			@Override
			void close();

		}

	}

}
