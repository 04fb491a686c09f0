package io.idempotent.client;

import java.net.URI;

import org.springframework.http.HttpMethod;

/**
 * Is notified of each attempt of each call, for metrics and logs. Called on the thread of
 * the attempt, which must not be blocked.
 */
@FunctionalInterface
public interface IdempotentClientListener {

	/** An attempt has ended. */
	void onAttempt(Attempt attempt);

	/**
	 * One attempt of a call. The key is not part of it.
	 *
	 * @param uri the address, with its query
	 * @param number 1 for the first attempt of a call, 2 for its first repeat
	 */
	record Attempt(HttpMethod method, URI uri, int number, CallResult result) {
	}

}
