package io.idempotent.webmvc.internal.response;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Passes every call on, and hides the delegate from Tomcat. It is deliberately not a
 * {@link jakarta.servlet.ServletResponseWrapper}: after a forward, Tomcat unwraps the
 * response and suspends its own one, so that what is held back could no longer be sent.
 * Other containers must find their own response, and do without this class.
 */
final class OpaqueResponse {

	private static final String TOMCAT = "org.apache.catalina.";

	private OpaqueResponse() {
	}

	static HttpServletResponse of(HttpServletResponse delegate) {
		return (HttpServletResponse) Proxy.newProxyInstance(OpaqueResponse.class.getClassLoader(),
				new Class<?>[] { HttpServletResponse.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("equals")) {
						return proxy == arguments[0];
					}
					try {
						return method.invoke(delegate, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	static boolean isOfTomcat(ServletResponse response) {
		ServletResponse innermost = response;
		while (innermost instanceof ServletResponseWrapper wrapper) {
			innermost = wrapper.getResponse();
		}
		return isTomcats(innermost);
	}

	/**
	 * Whether Tomcat includes a resource: it then wraps the innermost response, and looks
	 * for it afterwards, so that nothing may hide it.
	 */
	static boolean isIncluding(ServletResponse response) {
		ServletResponse below = response;
		while (below instanceof ServletResponseWrapper wrapper && !isTomcats(wrapper)) {
			below = wrapper.getResponse();
		}
		return below instanceof ServletResponseWrapper;
	}

	private static boolean isTomcats(ServletResponse response) {
		return response.getClass().getName().startsWith(TOMCAT);
	}

}
