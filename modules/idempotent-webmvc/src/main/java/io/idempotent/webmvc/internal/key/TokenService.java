package io.idempotent.webmvc.internal.key;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/** Issues form tokens and recognises them. */
public interface TokenService {

	/** The operation of a token that may be used for any operation. */
	String ANY_OPERATION = "";

	/**
	 * May throw a {@link io.idempotent.store.StoreUnavailableException}.
	 */
	String issue(List<String> caller, String operation, Duration timeToLive);

	/** Creates a token that is not issued, and so unknown to the store. */
	String generate(String operation);

	/** {@code null} if it was not issued to this caller for this operation. */
	@Nullable Token recognise(String token, List<String> caller, String operation);

	/** For its first use, unless another time is given. */
	Duration timeToLive();

	/** The record of its use is kept for at least {@code life}. */
	record Token(OperationKey key, Admission admission, Duration life) {

		/** A record outlives its token by this much, to allow for clock skew. */
		private static final Duration SKEW = Duration.ofMinutes(5);

		static Duration life(Duration remaining) {
			return remaining.isNegative() ? Duration.ZERO : remaining.plus(SKEW);
		}

		/** Whether half of the time for which new tokens live is left. */
		public boolean isFresh(Duration timeToLive) {
			return this.life.compareTo(timeToLive.dividedBy(2).plus(SKEW)) >= 0;
		}

	}

}
