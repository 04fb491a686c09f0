package io.idempotent.webmvc.internal.description;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.springframework.context.MessageSource;
import org.springframework.context.support.ResourceBundleMessageSource;

/**
 * The texts of {@link OperationDescriptions}: the application's messages
 * {@code idempotent.description.*}, or the defaults of this module.
 */
public final class DescriptionTexts {

	private final MessageSource application;

	private final ResourceBundleMessageSource defaults = new ResourceBundleMessageSource();

	public DescriptionTexts(MessageSource application) {
		this.application = application;
		this.defaults.setBasename("io.idempotent.webmvc.descriptions");
		this.defaults.setDefaultEncoding(StandardCharsets.UTF_8.name());
		this.defaults.setFallbackToSystemLocale(false);
	}

	/**
	 * Gets a text.
	 * @param name its name, without the prefix
	 * @param locale its language
	 * @param arguments what the text inserts
	 */
	String get(String name, Locale locale, Object... arguments) {
		String code = "idempotent.description." + name;
		String own = this.application.getMessage(code, arguments, null, locale);
		return (own != null) ? own : this.defaults.getMessage(code, arguments, locale);
	}

}
