package io.idempotent.engine;

import io.idempotent.Refusal;
import io.idempotent.engine.claim.Submission;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one submission, from the claim of its key until the outcome is
 * recorded. Several threads may use it, one after another.
 */
public interface SubmissionObservation {

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

	/** Makes it the current observation of this thread: the parent of those within. */
	Scope openScope();

	/** The outcome is that of decision and claim, unless another one is set later. */
	void decided(Submission submission, Decision decision);

	/** The outcome differs from what the decision implies. */
	void endsAs(SubmissionOutcome outcome);

	void refused(Refusal reason);

	/**
	 * A refusal of this operation is the outcome; any other exception, also a refusal of
	 * a nested operation, is an error; {@code null} if an earlier one no longer counts.
	 */
	void failed(@Nullable Throwable failure);

	/**
	 * Ends the observation once; further calls only return the code of the outcome again.
	 * {@code null} if nothing observes.
	 */
	@Nullable String end();

	interface Scope extends AutoCloseable {

		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
