package io.idempotent.boot.settings;

import java.io.Serial;
import java.time.Duration;
import java.util.Locale;

import io.idempotent.logging.DurationText;
import io.idempotent.support.StartUpException;

/**
 * Thrown if a property under {@code idempotent} cannot work. The message contains the
 * property, its value, the reason and what to do.
 */
public class InvalidConfigurationException extends StartUpException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String property;

	public InvalidConfigurationException(String property, String value, String reason, String action) {
		super(property + " is '" + value + "', but " + reason, action, null);
		this.property = property;
	}

	/** Formats a value as it is written in a property. */
	public static String text(Object value) {
		if (value instanceof Duration duration) {
			return DurationText.of(duration);
		}
		return (value instanceof Enum<?> constant) ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: value.toString();
	}

	/** The property, as it is written in a configuration file. */
	public String property() {
		return this.property;
	}

}
