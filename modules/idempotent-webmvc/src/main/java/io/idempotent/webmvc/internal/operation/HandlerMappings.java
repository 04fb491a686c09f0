package io.idempotent.webmvc.internal.operation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArraySet;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Which requests are mapped to idempotent handler methods.
 */
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

	/**
	 * The current mappings: an application may add some while it runs.
	 * @return the mappings of idempotent handler methods
	 */
	public Collection<Mapping> all() {
		List<Mapping> all = new ArrayList<>();
		this.checked.forEach((mapping) -> mapping.getHandlerMethods().forEach((info, handler) -> {
			Operation operation = this.operations.find(handler, info);
			if (operation != null) {
				all.add(new Mapping(operation, info));
			}
		}));
		return all;
	}

	/**
	 * All current handler methods, whether or not they are idempotent.
	 */
	public Collection<Handler> handlers() {
		List<Handler> handlers = new ArrayList<>();
		this.checked.forEach((mapping) -> mapping.getHandlerMethods()
			.forEach((info, method) -> handlers.add(new Handler(info, this.operations.find(method, info)))));
		return handlers;
	}

	/**
	 * Finds the operation of a handler method.
	 * @param handler a handler method, mapped or not
	 * @return the operation, or {@code null} if the method is not mapped or not
	 * idempotent
	 */
	public @Nullable Operation find(HandlerMethod handler) {
		return this.checked.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.filter((known) -> known.getValue().getMethod().equals(handler.getMethod())
					&& known.getValue().getBeanType().equals(handler.getBeanType()))
			.<@Nullable Operation>map((known) -> this.operations.find(known.getValue(), known.getKey()))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Finds an operation by its name.
	 * @param name the name of the operation
	 * @param method the HTTP method of a request
	 * @return the operation, or {@code null} if no request of this method is mapped to it
	 */
	public @Nullable Operation find(String name, String method) {
		return this.checked.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().values().stream())
			.<@Nullable Operation>map((handler) -> this.operations.find(handler, method))
			.filter((operation) -> operation != null && operation.name().equals(name))
			.findFirst()
			.orElse(null);
	}

	/**
	 * A handler method.
	 *
	 * @param info the requests that are mapped to it
	 * @param operation its operation, or {@code null} if it is not idempotent
	 */
	public record Handler(RequestMappingInfo info, @Nullable Operation operation) {
	}

	/**
	 * Requests that are mapped to an operation.
	 *
	 * @param operation the operation
	 * @param info the requests
	 */
	public record Mapping(Operation operation, RequestMappingInfo info) {

		/**
		 * The HTTP methods that are mapped.
		 * @return the methods, sorted; none if all are mapped
		 */
		public List<String> methods() {
			return this.info.getMethodsCondition().getMethods().stream().map(RequestMethod::name).sorted().toList();
		}

		/**
		 * The patterns of paths, the most specific first.
		 * @return the patterns, or {@code null} if paths are matched as texts
		 */
		public @Nullable Set<PathPattern> patterns() {
			PathPatternsRequestCondition condition = this.info.getPathPatternsCondition();
			return (condition != null) ? new TreeSet<>(condition.getPatterns()) : null;
		}

		/**
		 * Describes the requests.
		 * @return texts such as {@code POST /orders}
		 */
		public List<String> requests() {
			String methods = methods().isEmpty() ? "*" : String.join(",", methods());
			return this.info.getPatternValues().stream().sorted().map((pattern) -> methods + " " + pattern).toList();
		}

	}

}
