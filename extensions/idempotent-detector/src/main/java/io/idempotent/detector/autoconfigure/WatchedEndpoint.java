package io.idempotent.detector.autoconfigure;

import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * An endpoint, as the code of the application names it.
 *
 * @param method the HTTP method
 * @param uri the pattern of the path
 * @param handler the class and the name of the handler method
 */
record WatchedEndpoint(String method, String uri, String handler) {

	static WatchedEndpoint of(String method, String uri, HandlerMethod handler) {
		return new WatchedEndpoint(method, uri,
				ClassUtils.getUserClass(handler.getBeanType()).getSimpleName() + "." + handler.getMethod().getName());
	}

	@Override
	public String toString() {
		return this.method + " " + this.uri + " (" + this.handler + ")";
	}

}
