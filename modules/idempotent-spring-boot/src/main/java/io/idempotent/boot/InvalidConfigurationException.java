package io.idempotent.boot;

import java.io.Serial;

import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * Thrown if a property under {@code idempotent} cannot work. The message contains the
 * property, its value, the reason and what to do.
 */
public class InvalidConfigurationException extends StartUpException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String property;

	private final transient @Nullable Origin origin;

	/**
	 * Creates the exception.
	 * @param property the property
	 * @param value its value
	 * @param reason why it cannot work
	 * @param action what to do
	 */
	public InvalidConfigurationException(String property, String value, String reason, String action) {
		this(property, value, reason, action, null, null);
	}

	InvalidConfigurationException(String property, String value, String reason, String action, @Nullable Origin origin,
			@Nullable Throwable cause) {
		super(property + " is '" + value + "', but " + reason, action, cause);
		this.property = property;
		this.origin = origin;
	}

	/**
	 * The property, as it is written in a configuration file.
	 */
	String property() {
		return this.property;
	}

	/**
	 * Where the property is set, or {@code null} to look it up by its name.
	 */
	@Nullable Origin origin() {
		return this.origin;
	}

}
