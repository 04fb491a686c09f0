package io.idempotent.webmvc;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * Makes form tokens and recognises them.
 */
interface TokenMint {

	/** Stands for every operation, in a token that is not made for one. */
	String ANY_OPERATION = "";

	/**
	 * Makes a token.
	 * @param caller who asks for it
	 * @param operation the operation it is for, or {@link #ANY_OPERATION}
	 * @return the token
	 * @throws io.idempotent.store.StoreUnavailableException if it must be stored and the
	 * store does not answer
	 */
	String mint(List<String> caller, String operation);

	/**
	 * Recognises a token.
	 * @param token what the caller sent
	 * @param caller who sent it
	 * @param operation the operation it is sent to
	 * @return what it stands for, or {@code null} if it cannot be one of this caller's
	 * for this operation
	 */
	@Nullable Token recognise(String token, List<String> caller, String operation);

	/**
	 * How long a token may be used for the first time.
	 * @return the time
	 */
	Duration timeToLive();

	/**
	 * What a token stands for.
	 *
	 * @param key the operation key
	 * @param admission whether the store must know it
	 * @param life how long it is valid by itself, or zero
	 */
	record Token(OperationKey key, Admission admission, Duration life) {
	}

}
