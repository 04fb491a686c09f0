package io.idempotent.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Says which tenant a request belongs to. A bean of the application; without one there
 * are no tenants. The tenant becomes part of every key beside the authenticated
 * principal, so that callers of two tenants never share a record.
 */
@FunctionalInterface
public interface TenantResolver {

	/**
	 * Resolves the tenant.
	 * @param request the request, after all security filters
	 * @return the tenant, or {@code null} if the request has none
	 */
	@Nullable String resolveTenant(HttpServletRequest request);

}
