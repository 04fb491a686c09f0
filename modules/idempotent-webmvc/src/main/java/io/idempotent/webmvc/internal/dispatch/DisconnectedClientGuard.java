package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.util.Objects;

import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Sends an error if an operation fails with an exception that looks like a disconnected
 * client, such as the lost connection of a database. Spring MVC's default resolver would
 * send nothing, which the client receives as an empty 200. The same holds for a request
 * whose body ends early, before the operation starts. It runs right before that default
 * resolver, after the application's exception handlers.
 */
public final class DisconnectedClientGuard implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(DisconnectedClientGuard.class);

	private final Operations operations;

	public DisconnectedClientGuard(Operations operations) {
		this.operations = operations;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		CachedBodyRequest cachedRequest = CachedBodyRequest.find(request);
		if (cachedRequest == null || cachedRequest.response().isClientGone()
				|| !DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		Operation operation = operation(handler, request);
		if (operation == null) {
			return null;
		}
		HttpSubmission submission = HttpSubmission.of(cachedRequest);
		boolean failed = submission != null && submission.progress().failedWith(ex);
		if (failed) {
			logger.error("Operation '" + operation.name() + "' failed, and its response is a 500. The exception only "
					+ "looks like a disconnected client", ex);
		}
		else if (submission != null && !submission.progress().hasNotStarted()) {
			return null;
		}
		if (!failed) {
			// The client may have disconnected: no body is written.
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			return new ModelAndView();
		}
		try {
			response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the error", disconnected);
		}
		return new ModelAndView();
	}

	private @Nullable Operation operation(@Nullable Object handler, HttpServletRequest request) {
		if (handler != null) {
			return (handler instanceof HandlerMethod method) ? this.operations.find(method, request) : null;
		}
		// Spring MVC parses multipart requests before it looks for the handler.
		WebApplicationContext context = RequestContextUtils.findWebApplicationContext(request);
		return (context != null) ? context.getBeanProvider(RequestMappingHandlerMapping.class)
			.orderedStream()
			.map((mapping) -> operation(mapping, request))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null) : null;
	}

	private @Nullable Operation operation(RequestMappingHandlerMapping mapping, HttpServletRequest request) {
		try {
			HandlerExecutionChain chain = mapping.getHandler(request);
			return (chain != null && chain.getHandler() instanceof HandlerMethod method)
					? this.operations.find(method, request) : null;
		}
		catch (Exception ex) {
			logger.debug("No handler method was found for a request whose body ended early", ex);
			return null;
		}
	}

}
