package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Tells a client that a lock was not to be had. Stands behind the resolver of
 * idempotency, which learns from every exception that an operation has failed, and before
 * the application's own handlers, of which one for every {@code Exception} would take a
 * busy lock for an error. A lock that was lost is an error, and theirs to answer: what
 * they leave is answered by the {@link LostLockResolver}.
 */
final class LockExceptionResolver implements HandlerExceptionResolver, Ordered {

	private static final Log logger = LogFactory.getLog(LockExceptionResolver.class);

	private final ProblemRenderer problems;

	LockExceptionResolver(ProblemRenderer problems) {
		this.problems = problems;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		CachedBodyRequest cachedRequest = CachedBodyRequest.find(request);
		HttpSubmission submission = (cachedRequest != null) ? cachedRequest.submission() : null;
		if (submission != null && ex instanceof LockLostException lost && !lost.isRolledBack()) {
			submission.progress().effectUnknown();
		}
		Refusal refusal = refusal(ex);
		if (refusal == null) {
			return null;
		}
		if (refusal == Refusal.LOCK_UNAVAILABLE) {
			logger.warn("A request was refused, because the lock engine is unavailable", ex);
		}
		if (submission != null) {
			submission.response().startRefusal();
		}
		try {
			this.problems.render(refusal, request, response);
		}
		catch (IOException gone) {
			logger.debug("The client has disconnected", gone);
		}
		return new ModelAndView();
	}

	private static @Nullable Refusal refusal(Exception ex) {
		if (ex instanceof LockNotObtainedException) {
			return Refusal.LOCKED;
		}
		return (ex instanceof LockUnavailableException) ? Refusal.LOCK_UNAVAILABLE : null;
	}

}
