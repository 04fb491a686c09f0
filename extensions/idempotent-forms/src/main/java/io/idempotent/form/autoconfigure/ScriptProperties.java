package io.idempotent.form.autoconfigure;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the script for browsers.
 *
 * @param enabled Whether to serve the script idempotent.js.
 * @param path Path of the script.
 */
@ConfigurationProperties("idempotent.web.script")
record ScriptProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/idempotent.js") String path) {

	ScriptProperties {
		PropertyAssertions.path("idempotent.web.script.path", path, "Give a path such as /js/idempotent.js");
	}

}
