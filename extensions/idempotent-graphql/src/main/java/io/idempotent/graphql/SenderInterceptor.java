package io.idempotent.graphql;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.idempotent.webmvc.internal.key.CallerScope;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.server.WebSocketGraphQlRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Puts the {@link Sender} of an HTTP request into the context of its document. A message
 * over a WebSocket has no request, and gets no sender.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SenderInterceptor implements WebGraphQlInterceptor {

	private final CallerScope callers;

	private final String keyHeader;

	SenderInterceptor(CallerScope callers, String keyHeader) {
		this.callers = callers;
		this.keyHeader = keyHeader;
	}

	@Override
	public Mono<WebGraphQlResponse> intercept(WebGraphQlRequest request, Chain chain) {
		boolean ofHandshake = request instanceof WebSocketGraphQlRequest;
		if (!ofHandshake && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current) {
			Sender sender = new Sender(request.getHeaders().getOrEmpty(this.keyHeader),
					this.callers.capture(current.getRequest()));
			request.configureExecutionInput(
					(input, builder) -> builder.graphQLContext(Map.of(Sender.class, sender)).build());
		}
		return chain.next(request);
	}

	/**
	 * Who sent a document over HTTP, read on the thread of the request.
	 *
	 * @param keys the values of the key header
	 * @param caller gives the parts of the caller in a key of an operation, or refuses
	 */
	record Sender(List<String> keys, Function<String, List<String>> caller) {

		Sender {
			keys = List.copyOf(keys);
		}

	}

}
