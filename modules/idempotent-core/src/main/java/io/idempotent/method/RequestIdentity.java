package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the key that a client sends beside the arguments of a call, such as a GraphQL
 * mutation, for an {@link io.idempotent.Idempotent @Idempotent} method without a
 * {@code key}. The first bean of this type that supports the method is asked, before any
 * {@link MessageIdentity}.
 *
 * <p>
 * As the client chose the key, it counts for one caller only, and a repeat must have the
 * same content, or what {@link io.idempotent.Idempotent#compare()} names instead:
 * otherwise it is refused as {@link io.idempotent.Refusal#KEY_REUSED}.
 */
public interface RequestIdentity {

	/**
	 * Whether calls of the method can have such a key. Checked at start-up.
	 * @param method the annotated method
	 * @throws IllegalArgumentException if they could, were the method declared otherwise
	 */
	boolean supports(Method method);

	/**
	 * Reads the key of a call.
	 * @param operation the name of the operation, for refusals
	 * @param arguments the arguments of the call
	 * @return the key, or {@code null} if the client sent none
	 * @throws io.idempotent.SubmissionRefusedException if the key is malformed, or the
	 * caller cannot be distinguished
	 */
	@Nullable RequestKey identify(String operation, @Nullable Object[] arguments);

	/**
	 * Describes the key, to complete "Looked for" in the message of a refusal.
	 */
	String description();

	/**
	 * The key of one call.
	 *
	 * @param caller name, tenant and session, as
	 * {@link io.idempotent.store.OperationKey#caller} gives them
	 * @param key the key, as the client sent it
	 * @param content what a repeat must be equal in, by its JSON; it may be empty
	 */
	record RequestKey(List<String> caller, String key, Object content) {

		public RequestKey {
			caller = List.copyOf(caller);
		}

	}

}
