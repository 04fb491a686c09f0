package io.idempotent.engine;

import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Observes all submissions, for metrics and traces. Safe for use by several threads; must
 * neither block nor throw.
 */
@FunctionalInterface
public interface SubmissionObserver {

	/** Observes nothing, and allocates nothing. */
	SubmissionObserver NONE = (operation, entrance) -> SubmissionObservation.NONE;

	/**
	 * A submission starts: its key is known.
	 * @param operation the name of the operation
	 * @param entrance how it was submitted
	 * @return its observation, which must be ended
	 */
	SubmissionObservation start(String operation, Entrance entrance);

	/**
	 * A submission was refused before it had an operation key.
	 * @param operation the name of the operation
	 * @param entrance how it was submitted
	 * @param reason the reason
	 * @return the code of the outcome, or {@code null} if nothing observes the submission
	 */
	default @Nullable String refused(String operation, Entrance entrance, Refusal reason) {
		SubmissionObservation observation = start(operation, entrance);
		observation.refused(reason);
		return observation.end();
	}

	/**
	 * How an operation is submitted.
	 */
	enum Entrance {

		/** By a request to a handler method. */
		HTTP("http"),

		/** By the call of a bean's method, or by the template. */
		METHOD("method");

		private final String code;

		Entrance(String code) {
			this.code = code;
		}

		/**
		 * The code in metrics and spans.
		 * @return a lower case word
		 */
		public String code() {
			return this.code;
		}

	}

}
