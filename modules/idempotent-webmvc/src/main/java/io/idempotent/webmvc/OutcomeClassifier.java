package io.idempotent.webmvc;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Decides by the response whether an operation took effect, for applications that report
 * errors in the body ("200 with an error code"). Defined as a bean by the application;
 * called on the request's thread after the operation has returned and before the response
 * is sent. If it throws, the failure is logged and the rule for {@code null} applies. An
 * exception that became a 2xx or 3xx response is not called {@code NO_EFFECT} by it.
 */
@FunctionalInterface
public interface OutcomeClassifier {

	/**
	 * Classifies a response.
	 * @param operation the name of the operation
	 * @return the class, or {@code null} for the rule: 2xx and 3xx took effect, 4xx did
	 * not, 5xx and exceptions are treated according to {@link io.idempotent.WhenFailed}
	 */
	@Nullable OutcomeClass classify(String operation, Response response);

	/**
	 * A classifier for the envelope <code>{"code":…,"msg":…,"data":…}</code>, by one of
	 * its fields. A JSON object with status 2xx that has the field with another value
	 * took no effect: the next submission runs. Everything else is left to the rule for
	 * {@code null}: an envelope of success, and also one without the field, a rolled-back
	 * transaction and another content type. <pre class="code">
	 * OutcomeClassifier.jsonField("code", "200");     // RuoYi, RuoYi-Vue-Plus
	 * OutcomeClassifier.jsonField("code", "0");       // Yudao, pig
	 * OutcomeClassifier.jsonField("success", "true"); // JeecgBoot
	 * </pre>
	 * @param field the name of the field, a member of the outermost object
	 * @param success the values that mean success, as they are written in JSON; a text
	 * without quotes
	 */
	static OutcomeClassifier jsonField(String field, String... success) {
		return new JsonEnvelope(field, Set.of(success));
	}

	/** What a response means. */
	enum OutcomeClass {

		/** The operation took effect: the response is recorded and replayed. */
		EFFECT,

		/** It took no effect: the next submission runs. */
		NO_EFFECT,

		/** Unknown: {@link io.idempotent.WhenUnknown} decides. */
		UNKNOWN

	}

	/**
	 * The response of an operation.
	 *
	 * @param status the HTTP status
	 * @param contentType the content type, or {@code null}
	 * @param body the body, or {@code null} if it was streamed, incomplete or too large
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Response(int status, @Nullable String contentType, byte @Nullable [] body) {
	}

}
