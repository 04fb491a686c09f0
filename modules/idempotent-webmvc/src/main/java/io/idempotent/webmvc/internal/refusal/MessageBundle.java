package io.idempotent.webmvc.internal.refusal;

import java.nio.charset.StandardCharsets;

import org.springframework.context.support.ResourceBundleMessageSource;

/** A bundle with default texts. */
public final class MessageBundle extends ResourceBundleMessageSource {

	public MessageBundle(String name) {
		setBasename(name);
		setDefaultEncoding(StandardCharsets.UTF_8.name());
		setFallbackToSystemLocale(false);
	}

}
