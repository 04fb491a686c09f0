package io.idempotent.web;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Answers an error where an operation fails with an exception that looks like a client
 * that has disconnected, such as the lost connection of a database. Spring MVC's default
 * takes it for one and answers nothing, which the client receives as an empty 200. Stands
 * before that default, after the application's own handlers.
 */
final class DisconnectedClientGuard implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(DisconnectedClientGuard.class);

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		IdempotentRequest wrapper = IdempotentRequest.find(request);
		Exchange exchange = (wrapper != null) ? wrapper.exchange() : null;
		if (exchange == null || !exchange.progress().failedWith(ex) || wrapper.response().isClientGone()
				|| !DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		logger.error("Operation '" + exchange.handledBy().name() + "' failed", ex);
		try {
			response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}
		catch (IOException gone) {
			logger.debug("The client is gone", gone);
		}
		return new ModelAndView();
	}

}
