package io.idempotent.webmvc.internal.operation;

import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.MethodAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;

/**
 * The operation of a handler method, if it has one. An annotation on the class applies
 * only to requests that may change something: requests that are safe as defined by RFC
 * 9110 are not idempotent operations, and a method that handles only such requests is
 * never checked.
 *
 * @param ofClass whether the annotation is that of the class
 * @param operation the operation, which is checked when it is first used; {@code null} if
 * the method is not annotated
 */
record HandlerOperation(boolean ofClass, @Nullable Supplier<Operation> operation) {

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

	private static final HandlerOperation NONE = new HandlerOperation(false, null);

	static HandlerOperation of(HandlerMethod handler, Reader reader) {
		Class<?> controller = ClassUtils.getUserClass(handler.getBeanType());
		ApiIdempotent annotation = MethodAnnotations.find(handler.getMethod(), controller, ApiIdempotent.class);
		if (annotation == null) {
			return NONE;
		}
		boolean ofClass = MethodAnnotations.isOfClass(handler.getMethod(), controller, ApiIdempotent.class);
		return new HandlerOperation(ofClass, SingletonSupplier.of(() -> reader.read(handler, annotation, ofClass)));
	}

	/**
	 * The operation for a request.
	 * @param method the HTTP method of the request
	 * @return the operation, or {@code null} if the request is not idempotent
	 */
	@Nullable Operation forRequest(String method) {
		return (this.operation == null || (this.ofClass && SAFE.contains(method))) ? null : this.operation.get();
	}

	/**
	 * The operation for the requests of a mapping.
	 * @param methods the HTTP methods that are mapped, or none for all
	 * @return the operation, or {@code null} if no request is idempotent
	 */
	@Nullable Operation forMapping(Collection<String> methods) {
		boolean safe = !methods.isEmpty() && SAFE.containsAll(methods);
		return (this.operation == null || (this.ofClass && safe)) ? null : this.operation.get();
	}

	/**
	 * Whether a mapping without HTTP methods also accepts safe requests, which are not
	 * idempotent.
	 * @param methods the HTTP methods that are mapped, or none for all
	 * @return whether the operation may run unprotected unintentionally
	 */
	boolean leavesOutUnnamed(Collection<String> methods) {
		return this.operation != null && this.ofClass && methods.isEmpty();
	}

	/**
	 * Checks a handler method.
	 */
	@FunctionalInterface
	interface Reader {

		Operation read(HandlerMethod handler, ApiIdempotent annotation, boolean ofClass);

	}

}
