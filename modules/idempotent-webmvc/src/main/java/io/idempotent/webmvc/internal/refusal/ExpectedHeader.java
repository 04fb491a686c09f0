package io.idempotent.webmvc.internal.refusal;

import io.idempotent.KeySource;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Finds the header in which a request should have sent its key or token.
 */
final class ExpectedHeader {

	private final HttpSettings settings;

	private final Operations operations;

	ExpectedHeader(HttpSettings settings, Operations operations) {
		this.settings = settings;
		this.operations = operations;
	}

	/**
	 * Finds the header for the operation that the request was mapped to.
	 * @param request the request
	 * @return the name of the header, or {@code null} if the content is the key
	 */
	@Nullable String of(HttpServletRequest request) {
		return switch (source(request)) {
			case HEADER -> this.settings.keyHeader();
			case TOKEN -> this.settings.tokenHeader();
			case CONTENT, DEFAULT -> null;
		};
	}

	/**
	 * Whether the operation that the request was mapped to expects a token, in its header
	 * or in a form field.
	 * @param request the request
	 */
	boolean isToken(HttpServletRequest request) {
		return source(request) == KeySource.TOKEN;
	}

	private KeySource source(HttpServletRequest request) {
		Object handler = request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
		Operation operation = (handler instanceof HandlerMethod method) ? this.operations.find(method, request) : null;
		return (operation != null) ? operation.source() : KeySource.CONTENT;
	}

}
