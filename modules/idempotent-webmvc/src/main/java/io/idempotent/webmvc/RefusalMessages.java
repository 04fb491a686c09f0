package io.idempotent.webmvc;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;

/**
 * The messages of operations: texts, or the codes of messages in braces, as in Bean
 * Validation.
 */
final class RefusalMessages {

	private static final Log logger = LogFactory.getLog(RefusalMessages.class);

	private static final Pattern CODE = Pattern.compile("\\{([^{}\\s]+)}");

	private final MessageSource messages;

	private final Set<String> missing = ConcurrentHashMap.newKeySet();

	RefusalMessages(MessageSource messages) {
		this.messages = messages;
	}

	/**
	 * Resolves a message.
	 * @param message the message as the operation declares it
	 * @param operation the name of the operation
	 * @param locale the language of the user
	 * @return the text, or {@code null} if the application has no message of this code
	 */
	@Nullable String resolve(String message, String operation, Locale locale) {
		Matcher code = CODE.matcher(message);
		if (!code.matches()) {
			return message;
		}
		String text = this.messages.getMessage(code.group(1), null, null, locale);
		if (text == null && this.missing.add(message)) {
			logger.warn("The message \"" + message + "\" of operation '" + operation
					+ "' is not in the application's messages for the language '" + locale.toLanguageTag()
					+ "', so that users get the default text: add it to messages.properties, or write the text itself");
		}
		return text;
	}

}
