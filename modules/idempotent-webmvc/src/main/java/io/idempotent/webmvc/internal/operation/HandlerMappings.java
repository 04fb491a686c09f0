package io.idempotent.webmvc.internal.operation;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Which requests are mapped to idempotent handler methods. */
public final class HandlerMappings {

	private static final Log logger = LogFactory.getLog(HandlerMappings.class);

	private final Operations operations;

	private final Set<RequestMappingHandlerMapping> checked = new CopyOnWriteArraySet<>();

	public HandlerMappings(Operations operations) {
		this.operations = operations;
	}

	public void add(RequestMappingHandlerMapping mapping) {
		if (this.checked.add(mapping)) {
			mapping.getHandlerMethods().forEach((info, handler) -> {
				if (this.operations.leavesOutUnnamed(handler, info)) {
					warn(handler);
				}
			});
		}
	}

	private static void warn(HandlerMethod handler) {
		logger.warn(ClassUtils.getUserClass(handler.getBeanType()).getSimpleName() + "." + handler.getMethod().getName()
				+ " is mapped without an HTTP method, and @ApiIdempotent on its class does not apply to GET, HEAD, "
				+ "OPTIONS and TRACE: such requests run the method each time they are sent. Name the HTTP methods in "
				+ "the mapping (@PostMapping, or method = RequestMethod.POST), or annotate the method itself");
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
