package io.idempotent.support;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;

/**
 * The messages of the application, which may replace texts of this library. A message
 * source that answers with the code, as Spring's does on request, or with nothing, has no
 * message of that code.
 *
 * @param source the application's, which may fail
 */
public record ApplicationMessages(MessageSource source) {

	private static final Log logger = LogFactory.getLog(ApplicationMessages.class);

	private static final Pattern CODE = Pattern.compile("\\{([^{}\\s]+)}");

	/** The message, or {@code null} if the application has none. */
	public @Nullable String find(String code, Locale locale, Object... arguments) {
		try {
			// Without a default, a source may put in the code.
			String text = this.source.getMessage(code, arguments, "", locale);
			boolean missing = text == null || text.isBlank()
					|| ((code.indexOf('.') > 0) ? text.contains(code) : text.equals(code));
			return missing ? null : text;
		}
		catch (RuntimeException ex) {
			logger.warn("The application's MessageSource has failed for the message '" + code
					+ "', so that users get the default text: " + ex);
			return null;
		}
	}

	/** The code of a message in braces, as in Bean Validation, or {@code null}. */
	public static @Nullable String code(String text) {
		Matcher code = CODE.matcher(text);
		return code.matches() ? code.group(1) : null;
	}

}
