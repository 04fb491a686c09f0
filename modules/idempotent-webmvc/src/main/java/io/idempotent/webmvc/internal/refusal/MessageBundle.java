package io.idempotent.webmvc.internal.refusal;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.ResourceBundle;

import org.jspecify.annotations.Nullable;

import org.springframework.context.support.ResourceBundleMessageSource;

/** A bundle with default texts. */
public final class MessageBundle extends ResourceBundleMessageSource {

	/** Four letters are always a script: a variant of four characters has a digit. */
	private static final String SCRIPT_AS_VARIANT = "[A-Za-z]{4}(_.*)?";

	public MessageBundle(String name) {
		setBasename(name);
		setDefaultEncoding(StandardCharsets.UTF_8.name());
		setFallbackToSystemLocale(false);
	}

	@Override
	protected @Nullable ResourceBundle getResourceBundle(String basename, Locale locale) {
		return super.getResourceBundle(basename, withScript(locale));
	}

	/** Since 11.0.27, Tomcat reads {@code zh-Hant} as a language with a variant. */
	private static Locale withScript(Locale locale) {
		String variant = locale.getVariant();
		if (!variant.matches(SCRIPT_AS_VARIANT)) {
			return locale;
		}
		return Locale
			.forLanguageTag(String.join("-", locale.getLanguage(), variant.substring(0, 4), locale.getCountry()));
	}

}
