package io.idempotent.form.autoconfigure;

import java.util.List;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of what browsers submit.
 *
 * @param forms Forms of server-rendered pages.
 * @param script The script for browsers.
 */
@ConfigurationProperties("idempotent.web")
record FormProperties(@DefaultValue Forms forms, @DefaultValue Script script) {

	/**
	 * Properties of forms of server-rendered pages.
	 *
	 * @param enabled Whether forms that submit an operation with a token get a hidden
	 * field with one. Thymeleaf and Spring's JSP tags add it.
	 * @param resend Whether the page of a refused form offers to send its entries again
	 * with a new token, if its token was the only reason.
	 * @param secretFields Names of form fields that such a page asks for again instead of
	 * keeping their values, besides those recognised by their names, such as passwords.
	 */
	record Forms(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean resend,
			@DefaultValue List<String> secretFields) {
	}

	/**
	 * The script for browsers.
	 *
	 * @param enabled Whether to serve the script idempotent.js.
	 * @param path Path of the script.
	 */
	record Script(@DefaultValue("false") boolean enabled, @DefaultValue("/idempotent.js") String path) {

		Script {
			PropertyAssertions.path("idempotent.web.script.path", path, "Give a path such as /js/idempotent.js");
		}

	}

}
