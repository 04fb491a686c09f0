package io.idempotent.openapi;

import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.IdempotencyContext;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.swagger.v3.oas.models.Operation;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;

import org.springframework.web.method.HandlerMethod;

/**
 * Marks the idempotent operations of a document that is being built, by an extension with
 * the name of the operation. {@link OperationDocument} completes them when all handler
 * methods of the document, and its language, are known.
 */
final class OperationMarker implements GlobalOperationCustomizer {

	static final String EXTENSION = "x-idempotent";

	private static final String OPERATION = "operation";

	private static final String ISSUES_TOKENS = "issuesTokens";

	private final HttpIdempotency idempotency;

	/**
	 * Lets springdoc document the token endpoint, which is no {@code @RestController},
	 * and ignore arguments that do not come from the request.
	 */
	OperationMarker(HttpIdempotency idempotency) {
		SpringDocUtils.getConfig()
			.addRestControllers(TokenEndpoint.class)
			.addRequestWrapperToIgnore(IdempotencyContext.class);
		this.idempotency = idempotency;
	}

	@Override
	public Operation customize(Operation operation, HandlerMethod handler) {
		var idempotent = this.idempotency.find(handler);
		if (idempotent != null) {
			mark(operation, OPERATION, idempotent.name());
		}
		else if (TokenEndpoint.class.isAssignableFrom(handler.getBeanType())) {
			mark(operation, ISSUES_TOKENS, true);
		}
		return operation;
	}

	private static void mark(Operation operation, String key, Object value) {
		Map<String, Object> marks = new LinkedHashMap<>();
		marks.put(key, value);
		operation.addExtension(EXTENSION, marks);
	}

	/** The name of an operation, or {@code null} if it is not idempotent. */
	static @Nullable String name(Operation operation) {
		return (marks(operation).get(OPERATION) instanceof String name) ? name : null;
	}

	static boolean issuesTokens(Operation operation) {
		return marks(operation).containsKey(ISSUES_TOKENS);
	}

	static void remove(Operation operation) {
		operation.getExtensions().remove(EXTENSION);
	}

	private static Map<?, ?> marks(Operation operation) {
		Map<String, Object> extensions = operation.getExtensions();
		return (extensions != null && extensions.get(EXTENSION) instanceof Map<?, ?> marks) ? marks : Map.of();
	}

}
