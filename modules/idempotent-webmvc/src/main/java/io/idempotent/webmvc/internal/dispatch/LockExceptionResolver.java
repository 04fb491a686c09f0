package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Writes the problem of a request whose lock was not obtained. It runs after the
 * {@link IdempotencyExceptionResolver}, which must see every failure of an operation, and
 * before the application's exception handlers: a handler of {@code Exception} would
 * report a busy lock as an error. A lost lock is an error, which the application may
 * handle; if it does not, the {@link LostLockResolver} does.
 */
public final class LockExceptionResolver implements HandlerExceptionResolver, Ordered {

	private static final Log logger = LogFactory.getLog(LockExceptionResolver.class);

	private final ProblemRenderer problems;

	public LockExceptionResolver(ProblemRenderer problems) {
		this.problems = problems;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission != null && ex instanceof LockLostException lost && !lost.isRolledBack()) {
			submission.progress().effectUnknown();
		}
		Refusal refusal = refusal(ex);
		if (refusal == null) {
			return null;
		}
		if (refusal == Refusal.LOCK_UNAVAILABLE) {
			logger.warn(nameOf(handler) + " was refused with 503, because its lock engine is unavailable: "
					+ "check the server that it uses", ex);
		}
		if (submission != null) {
			submission.response().startRefusal();
		}
		try {
			this.problems.render(refusal, request, response);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the problem", disconnected);
		}
		return new ModelAndView();
	}

	/**
	 * Names the handler, not the request, whose text comes from the client.
	 */
	static String nameOf(@Nullable Object handler) {
		return "A request to " + ((handler instanceof HandlerMethod method) ? method.getShortLogMessage() : handler);
	}

	private static @Nullable Refusal refusal(Exception ex) {
		if (ex instanceof LockNotObtainedException) {
			return Refusal.LOCKED;
		}
		return (ex instanceof LockUnavailableException) ? Refusal.LOCK_UNAVAILABLE : null;
	}

}
