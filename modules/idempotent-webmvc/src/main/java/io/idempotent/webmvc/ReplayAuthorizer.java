package io.idempotent.webmvc;

import io.idempotent.IdempotencyContext;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Authorises a repeat to receive the answer of the first submission. A bean of the
 * application, for authorisation that a replay does not pass: what is checked inside the
 * handler method and below it, as by {@code @PreAuthorize} on a service. Security
 * filters, interceptors and method security on the handler method itself are asked for a
 * replay as for any request.
 *
 * <p>
 * The caller of the repeat is that of the first submission, since callers belong to every
 * key. What may have changed is what they are allowed to do.
 */
@FunctionalInterface
public interface ReplayAuthorizer {

	/**
	 * Authorises a replay. Called on the request's thread, after the submission has been
	 * recognised as a repeat and before anything of the answer is written.
	 * @param context the operation and its key
	 * @param request the request that repeats it
	 * @throws RuntimeException to refuse, such as Spring Security's
	 * {@code AccessDeniedException}; it is handled as if the handler method had thrown it
	 */
	void authorize(IdempotencyContext context, HttpServletRequest request);

}
