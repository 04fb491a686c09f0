package io.idempotent.ui.autoconfigure;

import java.util.regex.Pattern;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the page for operators.
 *
 * @param enabled Whether to serve the page for operators, which the module idempotent-ui
 * contains.
 * @param path Path of the page, beside the actuator endpoints: on the management port if
 * there is one.
 */
@ConfigurationProperties("idempotent.ui")
record OperationsPageProperties(@DefaultValue("true") boolean enabled, @DefaultValue("/idempotent") String path) {

	static final String PATH = "idempotent.ui.path";

	/** Segments of unreserved characters, none of which the browser resolves. */
	private static final Pattern PATHS = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+");

	OperationsPageProperties {
		PropertyAssertions.that(PATHS.matcher(path).matches(), PATH, path,
				"it must be segments of letters, digits and '.', '_', '~' or '-', each after a slash",
				"Give a path such as /idempotent, or disable the page: idempotent.ui.enabled=false");
	}

}
