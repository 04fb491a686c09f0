package io.idempotent.webmvc.internal.request;

import io.idempotent.support.Digest;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.util.ClassUtils;
import org.springframework.web.accept.ApiVersionHolder;
import org.springframework.web.servlet.HandlerMapping;

/** The API version of a request, which Spring MVC knows since Spring Framework 7. */
final class ApiVersion {

	private static final boolean KNOWN = ClassUtils.isPresent("org.springframework.web.accept.ApiVersionHolder",
			ApiVersion.class.getClassLoader());

	private ApiVersion() {
	}

	static void addTo(Digest.Builder digest, HttpServletRequest request) {
		if (KNOWN && request.getAttribute(HandlerMapping.API_VERSION_ATTRIBUTE) instanceof ApiVersionHolder version
				&& version.hasVersion()) {
			digest.add("version").add(version.getVersion().toString());
		}
	}

}
