package io.idempotent.webmvc;

import io.idempotent.IdempotencyContext;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpHeaders;

/**
 * Adds, changes or removes headers of a stored response before a repeat gets it. Beans of
 * this type are called in their order. The stored response itself stays as it is, so that
 * each replay starts from the same headers.
 *
 * <p>
 * Not called for the first response, for a refusal, and for a result that an
 * {@link io.idempotent.OutcomeRecoverer} rebuilds: the application writes that response
 * itself.
 */
@FunctionalInterface
public interface ReplayCustomizer {

	/**
	 * Customizes a replay. Called on the request's thread, after the
	 * {@link ReplayAuthorizer} and before any of the response is written.
	 * {@code Content-Length}, {@code Transfer-Encoding}, the headers of this library, and
	 * the type of an error page that the container renders cannot be changed.
	 * @param context the operation and its key
	 * @param request the request that repeats it
	 * @param headers a copy of the stored headers, with {@code Content-Type}; may be
	 * changed during this call only
	 * @throws RuntimeException if the response must not be sent; the request fails as if
	 * the handler method had thrown it, and the stored response remains for the next
	 * repeat
	 */
	void customize(IdempotencyContext context, HttpServletRequest request, HttpHeaders headers);

}
