package io.idempotent.openapi;

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

	/** The mark of the token endpoint, which is no name of an operation. */
	static final String ISSUES_TOKENS = "";

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
			operation.addExtension(EXTENSION, idempotent.name());
		}
		else if (TokenEndpoint.class.isAssignableFrom(handler.getBeanType())) {
			operation.addExtension(EXTENSION, ISSUES_TOKENS);
		}
		return operation;
	}

	/** The mark of an operation, or {@code null} if it has none. */
	static @Nullable String remove(Operation operation) {
		Map<String, Object> extensions = operation.getExtensions();
		return (extensions != null && extensions.get(EXTENSION) instanceof String mark
				&& extensions.remove(EXTENSION, mark)) ? mark : null;
	}

}
