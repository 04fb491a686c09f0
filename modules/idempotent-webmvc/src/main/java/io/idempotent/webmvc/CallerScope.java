package io.idempotent.webmvc;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The part of a key that says who submits: the caller, and on request the session. What
 * is absent differs from everything that is there.
 */
final class CallerScope {

	private static final Log logger = LogFactory.getLog(CallerScope.class);

	private static final String ABSENT = "-";

	private final CallerResolver callers;

	private final boolean bindToSession;

	private final AtomicBoolean toldOfUnnamed = new AtomicBoolean();

	private final AtomicBoolean toldOfUnresolved = new AtomicBoolean();

	CallerScope(CallerResolver callers, boolean bindToSession) {
		this.callers = callers;
		this.bindToSession = bindToSession;
	}

	/**
	 * Names the caller.
	 * @param request the request
	 * @param createSession whether a session is begun for a caller that has none
	 * @param operation the name of the operation, for the refusal
	 * @return name, tenant and session, each present or absent
	 * @throws SubmissionRefusedException if the caller is authenticated and has no name,
	 * or the resolver returns {@code null}
	 */
	List<String> of(HttpServletRequest request, boolean createSession, String operation) {
		@Nullable Caller caller = this.callers.resolveCaller(request);
		if (caller == null || caller.isUnnamed()) {
			tell(caller != null, operation);
			throw new SubmissionRefusedException(Refusal.CALLER_UNNAMED, operation);
		}
		return List.of(part(caller.name()), part(caller.tenant()), part(session(request, createSession)));
	}

	private static String unnamed(String operation) {
		return "A caller of operation '" + operation + "' is authenticated and has no name, as with a JWT "
				+ "without 'sub': it was refused, since it could not be told from others without a name. Let the "
				+ "principal have a name, or define a CallerResolver bean that gives it one";
	}

	private static String unresolved(String operation) {
		return "The CallerResolver returned null for a caller of operation '" + operation + "': the caller was "
				+ "refused, since it could not be told from others. Return Caller.named(...) for a caller who is known "
				+ "and Caller.ANONYMOUS for one who is not";
	}

	private void tell(boolean resolved, String operation) {
		String message = resolved ? unnamed(operation) : unresolved(operation);
		AtomicBoolean told = resolved ? this.toldOfUnnamed : this.toldOfUnresolved;
		if (told.compareAndSet(false, true)) {
			logger.warn(message);
		}
		else {
			logger.debug(message);
		}
	}

	private @Nullable String session(HttpServletRequest request, boolean create) {
		HttpSession session = this.bindToSession ? request.getSession(create) : null;
		return (session != null) ? session.getId() : null;
	}

	private static String part(@Nullable String value) {
		return (value != null) ? "=" + value : ABSENT;
	}

}
