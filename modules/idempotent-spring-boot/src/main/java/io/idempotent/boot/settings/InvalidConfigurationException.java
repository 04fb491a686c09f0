package io.idempotent.boot.settings;

import java.io.Serial;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import io.idempotent.logging.DurationText;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.core.NestedExceptionUtils;

/**
 * Thrown if a property under {@code idempotent} cannot work. The message contains the
 * property, its value, the reason and what to do.
 */
public class InvalidConfigurationException extends StartUpException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String property;

	private final transient @Nullable Origin origin;

	public InvalidConfigurationException(String property, String value, String reason, String action) {
		this(property, value, reason, action, null, null);
	}

	public InvalidConfigurationException(String property, String value, String reason, String action,
			@Nullable Origin origin, @Nullable Throwable cause) {
		super(property + " is '" + value + "', but " + reason, action, cause);
		this.property = property;
		this.origin = origin;
	}

	/**
	 * Explains a text that is not a valid value of its property. Omits the constant
	 * {@code DEFAULT} of an enum, with which an annotation leaves the choice to a
	 * property.
	 */
	public static InvalidConfigurationException of(String property, BindException failure) {
		Class<?> type = failure.getTarget().getType().resolve(Object.class);
		ConfigurationProperty found = failure.getProperty();
		String value = String.valueOf((found != null) ? found.getValue() : null);
		Origin origin = (found != null) ? found.getOrigin() : null;
		if (type.isEnum()) {
			return new InvalidConfigurationException(property, value, "it is none of the values of this property",
					Arrays.stream(type.getEnumConstants())
						.filter((constant) -> !constant.toString().equals("DEFAULT"))
						.map(InvalidConfigurationException::text)
						.collect(Collectors.joining(", ", "Write one of ", "")),
					origin, failure);
		}
		if (type == Duration.class) {
			return new InvalidConfigurationException(property, value, "it is not a duration",
					"Write it as 300ms, 30s or 24h", origin, failure);
		}
		return new InvalidConfigurationException(property, value,
				"it cannot be read: " + NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
				"Write a value of type " + type.getSimpleName(), origin, failure);
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

	/** Where the property is set, or {@code null} to look it up by its name. */
	public @Nullable Origin origin() {
		return this.origin;
	}

}
