package io.idempotent.boot;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A property under {@code idempotent} that cannot work.
 */
public class InvalidConfigurationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final @Nullable String property;

	private final String action;

	/**
	 * Creates the exception.
	 * @param property the property
	 * @param value its value
	 * @param reason why it cannot work
	 * @param action what to do
	 */
	public InvalidConfigurationException(String property, String value, String reason, String action) {
		super(property + " is '" + value + "', but " + reason);
		this.property = property;
		this.action = action;
	}

	/**
	 * Creates the exception from one that names property, reason and way out itself.
	 * @param cause what found it
	 */
	InvalidConfigurationException(IllegalArgumentException cause) {
		super(cause.getMessage(), cause);
		this.property = null;
		this.action = "Correct the property named above";
	}

	/**
	 * The property, or {@code null} if only the message knows it.
	 */
	@Nullable String property() {
		return this.property;
	}

	/**
	 * What to do.
	 * @return a sentence
	 */
	public String action() {
		return this.action;
	}

}
