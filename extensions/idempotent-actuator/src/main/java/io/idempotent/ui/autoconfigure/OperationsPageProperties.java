package io.idempotent.ui.autoconfigure;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the page for operators.
 *
 * @param enabled Whether to serve the page for operators.
 * @param path Path of the page, beside the actuator endpoints: on the management port if
 * there is one.
 */
@ConfigurationProperties("idempotent.ui")
record OperationsPageProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/idempotent") String path) {

	static final String PATH = "idempotent.ui.path";

	OperationsPageProperties {
		PropertyAssertions.path(PATH, path,
				"Give a path such as /idempotent, or disable the page: idempotent.ui.enabled=false");
	}

}
