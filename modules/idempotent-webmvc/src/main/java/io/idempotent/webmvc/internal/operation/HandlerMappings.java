package io.idempotent.webmvc.internal.operation;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Which requests are mapped to idempotent handler methods. */
public final class HandlerMappings {

	private final Operations operations;

	private final Set<RequestMappingHandlerMapping> checked = new CopyOnWriteArraySet<>();

	public HandlerMappings(Operations operations) {
		this.operations = operations;
	}

	public void add(RequestMappingHandlerMapping mapping) {
		this.checked.add(mapping);
	}

	/** The current mappings: an application may add some while it runs. */
	private Stream<Map.Entry<RequestMappingInfo, HandlerMethod>> current() {
		return this.checked.stream().flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream());
	}

	public Collection<Handler> handlers() {
		return current()
			.map((known) -> new Handler(known.getKey(), this.operations.find(known.getValue(), known.getKey())))
			.toList();
	}

	/** {@code null} if it is no operation or not mapped. */
	public @Nullable Operation find(HandlerMethod handler) {
		return current()
			.filter((known) -> known.getValue().getMethod().equals(handler.getMethod())
					&& known.getValue().getBeanType().equals(handler.getBeanType()))
			.flatMap((known) -> Stream.ofNullable(this.operations.find(known.getValue(), known.getKey())))
			.findFirst()
			.orElse(null);
	}

	/** {@code null} if no request with this HTTP method maps to the operation. */
	public @Nullable Operation find(String name, String method) {
		return current().flatMap((known) -> Stream.ofNullable(this.operations.find(known.getValue(), method)))
			.filter((operation) -> operation.name().equals(name))
			.findFirst()
			.orElse(null);
	}

	/** A handler method, and its operation if it is idempotent. */
	public record Handler(RequestMappingInfo info, @Nullable Operation operation) {
	}

}
