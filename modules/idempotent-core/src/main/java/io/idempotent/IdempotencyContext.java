package io.idempotent;

import java.time.Duration;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * The submission of a running operation. A handler method declares it as a parameter;
 * code around it (a logging filter, an interceptor) finds it in the request attribute
 * {@link #ATTRIBUTE} before the handler method is called. An {@link Idempotent} method
 * calls {@link IdempotencyTemplate#current()}.
 *
 * <p>
 * Safe for use by several threads; of no effect once the operation has ended.
 */
public interface IdempotencyContext {

	/** The request attribute that holds the context. */
	String ATTRIBUTE = "io.idempotent.IdempotencyContext";

	/** The name of the operation. */
	String operation();

	/**
	 * The operation key as text: 43 characters of base64url, the same for every
	 * submission of this operation, without anything the caller sent.
	 * @throws IllegalStateException before the gate has decided on the submission, which
	 * it does within the call of the handler method where key, condition or method
	 * security need the arguments
	 */
	String key();

	/**
	 * A key to hand to a downstream system, so that its work is idempotent as well: the
	 * same for every attempt of this operation, different for each purpose; 43
	 * characters.
	 * @param purpose what the downstream call is for, such as {@code "charge"}
	 * @throws IllegalStateException as for {@link #key()}
	 */
	String derivedKey(String purpose);

	/**
	 * The number of the claim: 1 for the first, one more for each further claim of the
	 * same record, 0 when the operation runs without protection.
	 */
	int attempt();

	/** Whether the answer is a stored one; always {@code false} inside the operation. */
	boolean isReplay();

	/**
	 * Whether another attempt may hold the claim: a renewal found another owner, or the
	 * lease ended before a renewal succeeded. What this operation commits from then on
	 * may happen twice.
	 */
	boolean isClaimLost();

	/**
	 * Makes work in another thread part of this operation: what it commits in the guarded
	 * database is committed under the operation's receipt. A {@code Callable} that a
	 * handler method returns needs no wrapping. If the operation turns out to have taken
	 * effect in another attempt, the work throws a {@link SubmissionRefusedException},
	 * whether or not the task has caught it.
	 */
	<T extends @Nullable Object> Callable<T> wrap(Callable<T> task);

	/**
	 * Keeps the answer out of the store. The operation is still recorded as completed; a
	 * duplicate is refused as {@code response-unavailable}.
	 */
	void doNotStoreAnswer();

	/**
	 * Retains this operation for another time than its policy says.
	 * @throws IllegalArgumentException if the time is not positive
	 */
	void retainFor(Duration retention);

}
