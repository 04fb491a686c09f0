package io.idempotent.test.web;

import io.idempotent.IdempotencyProfile;
import jakarta.servlet.ServletContext;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** The names that an application has configured for headers and the token endpoint. */
record HttpNames(String keyHeader, String replayedHeader, String tokenHeader, String tokenPath) {

	static final HttpNames DEFAULTS = new HttpNames("Idempotency-Key", "Idempotency-Replayed", "Idempotent-Token",
			"/token");

	static HttpNames in(ServletContext servletContext) {
		WebApplicationContext context = WebApplicationContextUtils.getWebApplicationContext(servletContext);
		return (context != null) ? of(context.getEnvironment()) : DEFAULTS;
	}

	static HttpNames of(Environment environment) {
		return new HttpNames(environment.getProperty("idempotent.web.key-header", DEFAULTS.keyHeader()),
				replayedHeader(environment), environment.getProperty("idempotent.token.header", DEFAULTS.tokenHeader()),
				environment.getProperty("idempotent.token.path", DEFAULTS.tokenPath()));
	}

	private static String replayedHeader(Environment environment) {
		return Binder.get(environment)
			.bind("idempotent.web.profile", IdempotencyProfile.class)
			.orElse(IdempotencyProfile.IDEMPOTENT)
			.protocol()
			.replayedHeader();
	}

}
