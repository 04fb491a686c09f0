package io.idempotent.engine;

import io.idempotent.Refusal;
import io.idempotent.engine.claim.Submission;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one submission, from the claim of its key until the outcome is
 * recorded. Several threads may use it, one after another.
 */
public interface SubmissionObservation {

	/** The observation of a submission without an observer. */
	SubmissionObservation NONE = new SubmissionObservation() {

		@Override
		public Scope openScope() {
			return Scope.NONE;
		}

		@Override
		public void decided(Submission submission, Decision decision) {
		}

		@Override
		public void endsAs(SubmissionOutcome outcome) {
		}

		@Override
		public void refused(Refusal reason) {
		}

		@Override
		public void failed(@Nullable Throwable failure) {
		}

		@Override
		public @Nullable String end() {
			return null;
		}

	};

	/**
	 * Makes the observation the current one of this thread, so that observations within
	 * it become its children.
	 * @return the scope, to be closed by the same thread
	 */
	Scope openScope();

	/**
	 * The gate has decided. Unless another outcome is set later, the decision and the end
	 * of its claim determine the outcome.
	 * @param submission the submission
	 * @param decision the decision
	 */
	void decided(Submission submission, Decision decision);

	/**
	 * The outcome differs from what the decision implies.
	 * @param outcome the outcome
	 */
	void endsAs(SubmissionOutcome outcome);

	/**
	 * The submission was refused.
	 * @param reason the reason
	 */
	void refused(Refusal reason);

	/**
	 * The operation threw an exception, or returned after a retry. The refusal of this
	 * submission is its outcome, any other exception an error.
	 * @param failure the exception, or {@code null} if an earlier one no longer counts
	 */
	void failed(@Nullable Throwable failure);

	/**
	 * Ends the observation. Further calls do nothing.
	 * @return the code of the outcome, or {@code null} if nothing observes the submission
	 */
	@Nullable String end();

	/**
	 * The time during which an observation is the current one of a thread.
	 */
	interface Scope extends AutoCloseable {

		/** A scope without an observation. */
		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
