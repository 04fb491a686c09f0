package io.idempotent.autoconfigure;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A property under {@code idempotent} that cannot work.
 */
class InvalidConfigurationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final @Nullable String property;

	private final String action;

	InvalidConfigurationException(String property, String value, String reason, String action) {
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
	 */
	String action() {
		return this.action;
	}

}
