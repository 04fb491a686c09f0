package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the identity of a message or of a client's request among the arguments of a call,
 * which is the key of an {@link io.idempotent.Idempotent @Idempotent} method without a
 * {@code key}. The beans of this type are called in their order; the first identity is
 * the key.
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
	 * @throws IllegalArgumentException if it could, were the method declared otherwise
	 */
	boolean supports(Method method);

	/**
	 * Returns the identity of a message.
	 * @param operation the name of the operation, for refusals
	 * @param method a supported method
	 * @param arguments the arguments of a call
	 * @return the identity, or {@code null} if the message has none
	 * @throws io.idempotent.SubmissionRefusedException if it is malformed, or its caller
	 * cannot be distinguished
	 */
	@Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments);

	/** Whether clients choose the identity, so that it counts for one caller only. */
	default boolean isOfCaller() {
		return false;
	}

	/**
	 * Describes the identity, to complete "Looked for" in the message of a refusal, such
	 * as {@code "the property messageId"}.
	 */
	String description();

	/**
	 * The identity of one message.
	 *
	 * @param key what distinguishes it from other messages
	 * @param content what a repeat must be equal in, by its canonical JSON: otherwise it
	 * is refused as {@link io.idempotent.Refusal#KEY_REUSED}; {@code null} to compare
	 * nothing
	 * @param caller if it is an identity of a caller: name, tenant and session, as
	 * {@link io.idempotent.store.OperationKey#caller} gives them
	 */
	record Identity(String key, @Nullable Object content, List<String> caller) {

		public Identity {
			caller = List.copyOf(caller);
		}

		/** An identity that nothing is compared with. */
		public static Identity of(String key) {
			return new Identity(key, null, List.of());
		}

	}

}
