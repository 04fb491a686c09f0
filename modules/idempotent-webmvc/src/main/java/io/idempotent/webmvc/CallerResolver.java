package io.idempotent.webmvc;

import java.security.Principal;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Resolves the caller of a request. Define a bean if the servlet container does not know
 * the caller as {@linkplain HttpServletRequest#getUserPrincipal() principal} (frameworks
 * with their own authentication filters), for principals without a name, and for tenants.
 * Without such a bean the {@linkplain #principal(HttpServletRequest) principal} is the
 * caller.
 *
 * <pre>
 * &#64;Bean
 * CallerResolver callerResolver() {
 * 	return (request) -&gt; CallerResolver.principal(request).inTenant(request.getHeader("X-Tenant"));
 * }
 * </pre>
 *
 * <p>
 * The caller becomes part of every key, so callers who differ never share a record.
 */
@FunctionalInterface
public interface CallerResolver {

	/**
	 * Resolves the caller, or {@link Caller#ANONYMOUS}. If the result is {@code null},
	 * the request is refused.
	 * @param request the request, after all security filters
	 */
	Caller resolveCaller(HttpServletRequest request);

	/**
	 * The authenticated principal by its name, blank if it has none, or
	 * {@link Caller#ANONYMOUS}.
	 */
	static Caller principal(HttpServletRequest request) {
		Principal principal = request.getUserPrincipal();
		return (principal != null) ? Caller.named(principal.getName()) : Caller.ANONYMOUS;
	}

}
