package io.idempotent.webmvc.internal.key;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.OperationKey;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Identifies callers in keys. An absent part differs from every present one. */
public final class CallerScope {

	private static final Log logger = LogFactory.getLog(CallerScope.class);

	private final CallerResolver callers;

	private final boolean bindToSession;

	private final AtomicBoolean unnamedLogged = new AtomicBoolean();

	private final AtomicBoolean unresolvedLogged = new AtomicBoolean();

	private final AtomicBoolean newSessionLogged = new AtomicBoolean();

	public CallerScope(CallerResolver callers, boolean bindToSession) {
		this.callers = callers;
		this.bindToSession = bindToSession;
	}

	/** The parts of the caller in a key. Refused if the caller is unnamed or unknown. */
	public List<String> of(HttpServletRequest request, boolean createSession, String operation) {
		Caller caller = require(this.callers.resolveCaller(request), operation);
		return OperationKey.caller(caller.name(), caller.tenant(), session(request, createSession, operation));
	}

	/**
	 * Reads the caller now, for operations that are submitted later, by their name, maybe
	 * when the request has ended: a function with the result of {@link #of}.
	 */
	public Function<String, List<String>> capture(HttpServletRequest request) {
		try {
			@Nullable Caller caller = this.callers.resolveCaller(request);
			HttpSession session = this.bindToSession ? request.getSession(false) : null;
			String id = (session != null) ? session.getId() : null;
			boolean created = session != null && session.isNew();
			return (operation) -> {
				Caller named = require(caller, operation);
				warnOfSession(created, operation);
				return OperationKey.caller(named.name(), named.tenant(), id);
			};
		}
		catch (RuntimeException ex) {
			// There may be no operation in the request.
			return (operation) -> {
				throw ex;
			};
		}
	}

	/** In another session the caller is another one, if keys belong to sessions. */
	public boolean staysInSession(HttpServletRequest request) {
		HttpSession session = this.bindToSession ? request.getSession(false) : null;
		return !this.bindToSession
				|| Objects.equals((session != null) ? session.getId() : null, request.getRequestedSessionId());
	}

	private Caller require(@Nullable Caller caller, String operation) {
		if (caller == null) {
			log(this.unresolvedLogged, "The CallerResolver returned null for a caller of operation '" + operation
					+ "'. The submission was refused with 403, since the caller cannot be distinguished from others. "
					+ "Return Caller.named(...) for a known caller and Caller.ANONYMOUS for an unknown one");
			throw new SubmissionRefusedException(Refusal.CALLER_UNNAMED, operation);
		}
		if (caller.isUnnamed()) {
			log(this.unnamedLogged, "A caller of operation '" + operation
					+ "' is authenticated and has no name, as with a JWT without 'sub' or a principal whose class "
					+ "defines no toString(). The submission was refused with 403, since the caller cannot be "
					+ "distinguished from others without a name. Give the principal a name, or define a CallerResolver bean that does");
			throw new SubmissionRefusedException(Refusal.CALLER_UNNAMED, operation);
		}
		return caller;
	}

	private static void log(AtomicBoolean logged, String message) {
		if (logged.compareAndSet(false, true)) {
			logger.warn(message + ". Further cases are logged at debug level");
		}
		else {
			logger.debug(message);
		}
	}

	private @Nullable String session(HttpServletRequest request, boolean create, String operation) {
		HttpSession session = this.bindToSession ? request.getSession(create) : null;
		if (session == null) {
			return null;
		}
		warnOfSession(!create && session.isNew(), operation);
		return session.getId();
	}

	private void warnOfSession(boolean created, String operation) {
		if (created && this.newSessionLogged.compareAndSet(false, true)) {
			logger.warn("A submission of operation '" + operation
					+ "' belongs to a session that was created by the same "
					+ "request, since idempotent.web.bind-to-session is true. If the client does not return the cookie, "
					+ "its repeat belongs to yet another session and takes effect again; a token that was issued before "
					+ "is unknown. Set idempotent.web.bind-to-session=false and distinguish callers by a CallerResolver "
					+ "bean, or create no session for such clients. This is logged once");
		}
	}

}
