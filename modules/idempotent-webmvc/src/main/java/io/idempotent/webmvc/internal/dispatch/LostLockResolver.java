package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.lock.LockLostException;
import io.idempotent.webmvc.ProblemRenderer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Writes the problem of a request that has lost its lock, unless the application handles
 * the exception itself: its transaction was rolled back, or it may have taken effect.
 */
public final class LostLockResolver implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(LostLockResolver.class);

	private final ProblemRenderer problems;

	public LostLockResolver(ProblemRenderer problems) {
		this.problems = problems;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof LockLostException lost)) {
			return null;
		}
		logger.error(LockExceptionResolver.nameOf(handler) + " lost its lock '" + lost.name() + "' while it ran. "
				+ (lost.isRolledBack() ? "Its transaction was rolled back"
						: "It may have taken effect, and another holder of the lock may have run at the same time: "
								+ "check its effect"),
				ex);
		try {
			this.problems.render(lost.isRolledBack() ? Refusal.LOCK_LOST_ROLLED_BACK : Refusal.LOCK_LOST, request,
					response);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the problem", disconnected);
		}
		return new ModelAndView();
	}

}
