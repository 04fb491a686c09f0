package io.idempotent.webmvc.internal.request;

import java.util.Map;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Parses a form as the container does, with its limits and its exceptions. */
interface FormParser {

	/** {@code null} for a container that is not known, which then reads forms itself. */
	static @Nullable FormParser of(HttpServletRequest original) {
		if (isTomcats(original)) {
			return new TomcatFormParser();
		}
		return original.getClass().getName().startsWith("org.eclipse.jetty.ee11.") ? new JettyFormParser() : null;
	}

	static boolean isTomcats(ServletRequest request) {
		return request.getClass().getName().startsWith("org.apache.catalina.");
	}

	/** Whether the container takes the body for parameters. */
	boolean isForm(HttpServletRequest original);

	/** The parameters in the body, beside which there are others. */
	Map<String, String[]> parse(HttpServletRequest original, byte[] body, int others);

}
