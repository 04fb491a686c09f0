package io.idempotent.webmvc.internal.request;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.apache.tomcat.util.http.Parameters;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.support.RequestContextUtils;

/** The limits are those of Spring Boot's properties: requests do not show them. */
final class TomcatFormParser implements FormParser {

	/** Before version 11, Tomcat serves no parameter of a form that is too large. */
	private static final boolean REFUSES = ClassUtils.isPresent("org.apache.tomcat.util.http.InvalidParameterException",
			TomcatFormParser.class.getClassLoader());

	/** No parameter of Tomcat's has this name. */
	private static final String OTHERS = "";

	@Override
	public boolean isForm(HttpServletRequest original) {
		String type = original.getContentType();
		return type != null && HttpMethod.POST.matches(original.getMethod())
				&& MediaType.APPLICATION_FORM_URLENCODED_VALUE.equalsIgnoreCase(type.split(";", 2)[0].trim());
	}

	@Override
	public Map<String, String[]> parse(HttpServletRequest original, byte[] body, int others) {
		long maxSize = setting(original, "max-http-form-post-size", DataSize.ofMegabytes(2)).toBytes();
		if (maxSize >= 0 && body.length > maxSize) {
			if (REFUSES) {
				throw TooLargeForm.exception();
			}
			return Map.of();
		}
		int maxCount = setting(original, "max-parameter-count", 1000);
		Parameters parameters = new Parameters();
		parameters.setLimit(maxCount);
		for (int i = 0; i < others; i++) {
			parameters.addParameter(OTHERS, "");
		}
		parameters.setCharset(charset(original.getCharacterEncoding()));
		// Tomcat decodes in place.
		parameters.processParameters(body.clone(), 0, body.length);
		Map<String, String[]> parsed = new LinkedHashMap<>();
		Collections.list(parameters.getParameterNames())
			.forEach((name) -> parsed.put(name, parameters.getParameterValues(name)));
		parsed.remove(OTHERS);
		return parsed;
	}

	@SuppressWarnings("unchecked")
	private static <T> T setting(HttpServletRequest original, String name, T absent) {
		WebApplicationContext context = RequestContextUtils.findWebApplicationContext(original);
		return (context != null)
				? context.getEnvironment().getProperty("server.tomcat." + name, (Class<T>) absent.getClass(), absent)
				: absent;
	}

	private static Charset charset(@Nullable String name) {
		try {
			return (name != null) ? Charset.forName(name) : StandardCharsets.ISO_8859_1;
		}
		catch (IllegalArgumentException ex) {
			return StandardCharsets.ISO_8859_1;
		}
	}

	/** Loaded only where the exception exists. */
	private static final class TooLargeForm {

		static RuntimeException exception() {
			return new InvalidParameterException("The form is larger than server.tomcat.max-http-form-post-size",
					HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
		}

	}

}
