package io.idempotent.webmvc.internal.dispatch;

import io.idempotent.Refusal;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
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
 * Writes the problem of a request whose lock was not obtained. Runs after
 * {@link IdempotencyExceptionResolver}, which must see every failure, and before the
 * application's exception handlers, which might report a busy lock as an error.
 */
public record LockExceptionResolver(RefusalWriter refusals) implements HandlerExceptionResolver, Ordered {

	private static final Log logger = LogFactory.getLog(LockExceptionResolver.class);

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission != null && mayHaveTakenEffect(ex)) {
			submission.call().effectUnknown();
		}
		boolean unavailable = ex instanceof LockUnavailableException;
		if (!unavailable && !(ex instanceof LockNotObtainedException)) {
			return null;
		}
		if (unavailable) {
			logger.warn(nameOf(handler) + " was refused with 503, because its lock engine is unavailable: "
					+ "check the server that it uses", ex);
		}
		Refusal refusal = unavailable ? Refusal.LOCK_UNAVAILABLE : Refusal.LOCKED;
		return this.refusals.write(refusal, request, response) ? new ModelAndView() : null;
	}

	/** Also if the application has wrapped the exception. */
	private static boolean mayHaveTakenEffect(Exception ex) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof LockLostException lost) {
				return !lost.isRolledBack();
			}
		}
		return false;
	}

	/**
	 * For a lost lock that the application does not handle: the transaction was rolled
	 * back, or may have taken effect. Must precede Spring MVC's default resolver.
	 */
	public @Nullable ModelAndView resolveLostLock(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof LockLostException lost)) {
			return null;
		}
		logger.error(nameOf(handler) + " lost its lock '" + lost.name() + "' while it ran. "
				+ (lost.isRolledBack() ? "Its transaction was rolled back"
						: "It may have taken effect, and another holder of the lock may have run at the same time: "
								+ "check its effect"),
				ex);
		Refusal refusal = lost.isRolledBack() ? Refusal.LOCK_LOST_ROLLED_BACK : Refusal.LOCK_LOST;
		return this.refusals.write(refusal, request, response) ? new ModelAndView() : null;
	}

	/** Names the handler, not the request, whose text comes from the client. */
	private static String nameOf(@Nullable Object handler) {
		return "A request to " + ((handler instanceof HandlerMethod method) ? method.getShortLogMessage() : handler);
	}

}
