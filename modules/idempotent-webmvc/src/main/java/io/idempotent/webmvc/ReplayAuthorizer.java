package io.idempotent.webmvc;

import io.idempotent.IdempotencyContext;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Authorises a repeat to receive the response to the first submission. Define a bean if
 * access is checked inside the handler method or below it, as by {@code @PreAuthorize} on
 * a service: a replay does not get there. Security filters, interceptors and method
 * security on the handler method itself apply to a replay as to any request.
 *
 * <p>
 * The repeat comes from the caller of the first submission, since the caller is part of
 * every key. Their permissions may have changed.
 */
@FunctionalInterface
public interface ReplayAuthorizer {

	/**
	 * Authorises a replay. Called on the request's thread, after the submission has been
	 * recognised as a repeat and before any of the response is written. A receipt may
	 * show only during the call that it is one, after {@code context} has said otherwise.
	 * @param context the operation and its key
	 * @param request the request that repeats it
	 * @throws RuntimeException to refuse, such as Spring Security's
	 * {@code AccessDeniedException}; it is handled as if the handler method had thrown
	 * it, or the repeat is refused as {@code response-unavailable} if the receipt is
	 * found after the method has returned
	 */
	void authorize(IdempotencyContext context, HttpServletRequest request);

}
