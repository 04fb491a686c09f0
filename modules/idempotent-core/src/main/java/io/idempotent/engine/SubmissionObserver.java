package io.idempotent.engine;

import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Observes all submissions, for metrics and traces. Safe for use by several threads; must
 * neither block nor throw.
 */
@FunctionalInterface
public interface SubmissionObserver {

	SubmissionObserver NONE = (operation, entrance) -> SubmissionObservation.NONE;

	/** The key of a submission is known. Its observation must be ended. */
	SubmissionObservation start(String operation, Entrance entrance);

	/** {@code null} if nothing observes the submission, which has no operation key. */
	default @Nullable String refused(String operation, Entrance entrance, Refusal reason) {
		SubmissionObservation observation = start(operation, entrance);
		observation.refused(reason);
		return observation.end();
	}

	/** How an operation is submitted. */
	enum Entrance {

		HTTP("http"),

		/** By the call of a bean's method, or by the template. */
		METHOD("method");

		private final String code;

		Entrance(String code) {
			this.code = code;
		}

		public String code() {
			return this.code;
		}

	}

}
