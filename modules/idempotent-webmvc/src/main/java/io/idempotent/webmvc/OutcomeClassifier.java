package io.idempotent.webmvc;

import org.jspecify.annotations.Nullable;

/**
 * Says what an answer means for the record of its operation, for applications with codes
 * of their own ("200 with an error code"). A bean of the application; called on the
 * request's thread after the operation returned, before the answer is sent.
 */
@FunctionalInterface
public interface OutcomeClassifier {

	/**
	 * Classifies an answer.
	 * @param operation the name of the operation
	 * @param answer what it answered
	 * @return the class, or {@code null} for the rule: 2xx and 3xx took effect, 4xx did
	 * not, 5xx and exceptions as {@link io.idempotent.WhenFailed} says
	 */
	@Nullable OutcomeClass classify(String operation, Answer answer);

	/**
	 * What an answer means.
	 */
	enum OutcomeClass {

		/** The operation took effect: the answer is recorded and replayed. */
		EFFECT,

		/** It took no effect: the next submission runs. */
		NO_EFFECT,

		/** Unknown: {@link io.idempotent.WhenUnknown} decides. */
		UNKNOWN

	}

	/**
	 * An answer.
	 *
	 * @param status the HTTP status
	 * @param contentType the content type, or {@code null}
	 * @param body the body, or {@code null} where it was too large to keep
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Answer(int status, @Nullable String contentType, byte @Nullable [] body) {
	}

}
