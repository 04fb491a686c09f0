package io.idempotent.webmvc.internal.refusal;

import java.nio.charset.StandardCharsets;

import org.springframework.context.support.ResourceBundleMessageSource;

/** A bundle with the default texts of this module. */
public final class MessageBundle extends ResourceBundleMessageSource {

	public MessageBundle(String name) {
		setBasename("io.idempotent.webmvc." + name);
		setDefaultEncoding(StandardCharsets.UTF_8.name());
		setFallbackToSystemLocale(false);
	}

}
