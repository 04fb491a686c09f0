package io.idempotent.client;

import org.springframework.http.HttpHeaders;

/**
 * Distinguishes a replayed response from a first one.
 */
public final class IdempotentResponses {

	private static final String STRIPE_HEADER = "Idempotent-Replayed";

	private IdempotentResponses() {
	}

	/**
	 * Whether a response repeats an earlier one, by {@code Idempotency-Replayed} or
	 * {@code Idempotent-Replayed}. For another header, ask
	 * {@link IdempotentClientSettings#isReplay(HttpHeaders)}.
	 */
	public static boolean isReplay(HttpHeaders headers) {
		return isReplay(headers, IdempotentClientSettings.REPLAYED_HEADER) || isReplay(headers, STRIPE_HEADER);
	}

	static boolean isReplay(HttpHeaders headers, String header) {
		String value = headers.getFirst(header);
		return value != null && !"false".equalsIgnoreCase(value.trim());
	}

}
