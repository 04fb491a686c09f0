package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.lock.LockLostException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Says what is known after a lock was lost, where the application does not say it itself:
 * whether the transaction was rolled back, or what was done may stand.
 */
final class LostLockResolver implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(LostLockResolver.class);

	private final ProblemRenderer problems;

	LostLockResolver(ProblemRenderer problems) {
		this.problems = problems;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof LockLostException lost)) {
			return null;
		}
		logger.error("A request lost its lock while it ran", ex);
		try {
			this.problems.render(lost.isRolledBack() ? Refusal.LOCK_LOST_ROLLED_BACK : Refusal.LOCK_LOST, request,
					response);
		}
		catch (IOException gone) {
			logger.debug("The client has disconnected", gone);
		}
		return new ModelAndView();
	}

}
