package io.idempotent.webmvc.internal.key;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * Issues form tokens and recognises them.
 */
public interface TokenMint {

	/** The operation of a token that may be used for any operation. */
	String ANY_OPERATION = "";

	/**
	 * Issues a token.
	 * @param caller the parts of the key that identify the caller
	 * @param operation the operation it is for, or {@link #ANY_OPERATION}
	 * @param timeToLive how long it may be used for the first time
	 * @throws io.idempotent.store.StoreUnavailableException if the token must be stored
	 * and the store does not respond
	 */
	String mint(List<String> caller, String operation, Duration timeToLive);

	/**
	 * Issues a token with the usual time to live.
	 * @param caller the parts of the key that identify the caller
	 * @param operation the operation it is for, or {@link #ANY_OPERATION}
	 */
	default String mint(List<String> caller, String operation) {
		return mint(caller, operation, timeToLive());
	}

	/**
	 * Creates a token that is not issued, and so unknown to the store.
	 * @param operation the operation it is for, or {@link #ANY_OPERATION}
	 */
	String draw(String operation);

	/**
	 * Recognises a token.
	 * @param token the token as sent
	 * @param caller the parts of the key that identify the caller
	 * @param operation the operation that it was sent to
	 * @return the token, or {@code null} if it was not issued to this caller for this
	 * operation
	 */
	@Nullable Token recognise(String token, List<String> caller, String operation);

	/**
	 * How long a token may be used for the first time, unless another time is given.
	 */
	Duration timeToLive();

	/**
	 * A recognised token.
	 *
	 * @param key the operation key
	 * @param admission whether the key must have been issued to the store
	 * @param life how long the record of its use must be kept at least
	 */
	record Token(OperationKey key, Admission admission, Duration life) {

		/** A record outlives its token by this much, to allow for clock skew. */
		private static final Duration SKEW = Duration.ofMinutes(5);

		/**
		 * The life of a token.
		 * @param remaining the time until it expires, negative if it has expired
		 * @return how long the record of its use must be kept at least
		 */
		static Duration life(Duration remaining) {
			return remaining.isNegative() ? Duration.ZERO : remaining.plus(SKEW);
		}

	}

}
