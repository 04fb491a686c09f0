package io.idempotent.web;

import java.security.Principal;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Who submits: the authenticated principal, the tenant, and on request the session. What
 * is absent differs from everything that is there.
 */
final class CallerScope {

	private static final String ABSENT = "-";

	private final @Nullable TenantResolver tenants;

	private final boolean bindToSession;

	CallerScope(@Nullable TenantResolver tenants, boolean bindToSession) {
		this.tenants = tenants;
		this.bindToSession = bindToSession;
	}

	/**
	 * Names the caller.
	 * @param request the request
	 * @param createSession whether a session is begun for a caller that has none
	 * @return principal, tenant and session, each present or absent
	 */
	List<String> of(HttpServletRequest request, boolean createSession) {
		Principal principal = request.getUserPrincipal();
		return List.of(part((principal != null) ? principal.getName() : null),
				part((this.tenants != null) ? this.tenants.resolveTenant(request) : null),
				part(session(request, createSession)));
	}

	private @Nullable String session(HttpServletRequest request, boolean create) {
		HttpSession session = this.bindToSession ? request.getSession(create) : null;
		return (session != null) ? session.getId() : null;
	}

	private static String part(@Nullable String value) {
		return (value != null) ? "=" + value : ABSENT;
	}

}
