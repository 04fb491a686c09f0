package io.idempotent.client;

import java.time.Duration;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * Ends an attempt with a response after which the call is repeated. It keeps the
 * response, which is the result of the call if there is no further attempt.
 */
final class RefusedAttemptException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Object response;

	private final Duration retryAfter;

	/**
	 * Ends an attempt.
	 * @param response the response, whose body is in memory
	 * @param status its status
	 * @param headers its headers
	 */
	RefusedAttemptException(Object response, HttpStatusCode status, HttpHeaders headers) {
		super("status " + status.value(), null, false, false);
		this.response = response;
		this.retryAfter = RetryAfter.in(headers);
	}

	<T> T response(Class<T> type) {
		return type.cast(this.response);
	}

	Duration retryAfter() {
		return this.retryAfter;
	}

}
