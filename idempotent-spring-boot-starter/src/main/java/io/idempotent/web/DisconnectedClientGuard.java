package io.idempotent.web;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Answers an error where an operation fails with an exception that looks like a client
 * that has disconnected, such as the lost connection of a database. Spring MVC's default
 * takes it for one and answers nothing, which the client receives as an empty 200. The
 * same goes for a request that breaks off before the operation begins. Stands before that
 * default, after the application's own handlers.
 */
final class DisconnectedClientGuard implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(DisconnectedClientGuard.class);

	private final Operations operations;

	DisconnectedClientGuard(Operations operations) {
		this.operations = operations;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		Operation operation = (handler instanceof HandlerMethod method) ? this.operations.find(method) : null;
		IdempotentRequest wrapper = IdempotentRequest.find(request);
		if (operation == null || wrapper == null || wrapper.response().isClientGone()
				|| !DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		Exchange exchange = wrapper.exchange();
		boolean failed = exchange != null && exchange.progress().failedWith(ex);
		if (failed) {
			logger.error("Operation '" + operation.name() + "' failed", ex);
		}
		else if (exchange != null && !exchange.progress().hasNotBegun()) {
			return null;
		}
		if (!failed) {
			// Nobody may be there to read a page.
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			return new ModelAndView();
		}
		try {
			response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}
		catch (IOException gone) {
			logger.debug("The client has disconnected", gone);
		}
		return new ModelAndView();
	}

}
