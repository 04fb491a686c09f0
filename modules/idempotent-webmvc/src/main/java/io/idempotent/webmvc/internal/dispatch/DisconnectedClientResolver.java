package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.util.stream.Stream;

import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Sends an error if a body ends early, or if an operation fails with an exception that
 * looks like a disconnected client, such as a lost database connection. Spring MVC's
 * default resolver, which comes next, would send nothing, and end the response as if it
 * were complete: an empty 200.
 */
public record DisconnectedClientResolver(Operations operations) implements HandlerExceptionResolver {

	private static final Log logger = LogFactory.getLog(DisconnectedClientResolver.class);

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		SubmissionRequest found = SubmissionRequest.find(request);
		if (found == null || found.response().isClientGone()
				|| !DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		Operation operation = operation(handler, request);
		if (operation == null) {
			return null;
		}
		HttpSubmission submission = found.submission();
		if (submission == null || !submission.call().hasStarted()) {
			// The client may have disconnected: no body is written.
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			return new ModelAndView();
		}
		if (!submission.call().hasFailed()) {
			return null;
		}
		if (response.isCommitted()) {
			throw new IllegalStateException("Operation '" + operation.name()
					+ "' failed after its response was committed, which is broken off. The exception only looks like a "
					+ "disconnected client", ex);
		}
		logger.error(
				"Operation '" + operation.name()
						+ "' failed, and its response is a 500. The exception only looks like a disconnected client",
				ex);
		sendError(response);
		return new ModelAndView();
	}

	private static void sendError(HttpServletResponse response) {
		try {
			response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the error", disconnected);
		}
	}

	private @Nullable Operation operation(@Nullable Object handler, HttpServletRequest request) {
		if (handler != null) {
			return this.operations.find(handler, request);
		}
		// Spring MVC parses multipart requests before it looks for the handler.
		WebApplicationContext context = RequestContextUtils.findWebApplicationContext(request);
		return (context == null) ? null
				: context.getBeanProvider(RequestMappingHandlerMapping.class)
					.orderedStream()
					.flatMap((mapping) -> Stream.ofNullable(operation(mapping, request)))
					.findFirst()
					.orElse(null);
	}

	private @Nullable Operation operation(HandlerMapping mapping, HttpServletRequest request) {
		try {
			HandlerExecutionChain chain = mapping.getHandler(request);
			return (chain != null) ? this.operations.find(chain.getHandler(), request) : null;
		}
		catch (Exception ex) {
			logger.debug("No handler method was found for a request whose body ended early", ex);
			return null;
		}
	}

}
