package io.idempotent.method;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Finds the identity of a message among the arguments of a listener, which is the key of
 * an {@link io.idempotent.Idempotent @Idempotent} method without a {@code key}. The beans
 * of this type are called in their order; the first identity is the key.
 *
 * <p>
 * An implementation must return the same identity for each delivery of what should take
 * effect once, and a different one for anything else: two messages with the same identity
 * take effect only once.
 */
public interface MessageIdentity {

	/**
	 * Whether a call of the method can have such an identity. Checked at start-up: a
	 * method without a key that no bean supports fails the start.
	 * @param method the annotated method
	 */
	boolean supports(Method method);

	/**
	 * Returns the identity of a message.
	 * @param method a supported method
	 * @param arguments the arguments of a call
	 * @return the identity, or {@code null} if the message has none
	 */
	@Nullable String identify(Method method, @Nullable Object[] arguments);

	/**
	 * Returns the content of a message that has an identity. A message with a used
	 * identity and other content is refused as {@link io.idempotent.Refusal#KEY_REUSED}.
	 * By default, nothing is compared.
	 * @param method a supported method
	 * @param arguments the arguments of a call
	 * @return the content, compared by its canonical JSON, or {@code null}
	 */
	default @Nullable Object content(Method method, @Nullable Object[] arguments) {
		return null;
	}

	/**
	 * Describes the identity, to complete "Looked for" in the message of a refusal, such
	 * as {@code "the property messageId"}.
	 */
	String description();

}
