package io.idempotent.support;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * An annotation that cannot work; the application does not start.
 */
public class InvalidAnnotationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates the exception.
	 * @param message which method, which attribute, which value, and why it cannot work
	 * @param action what to do
	 * @param cause what found it, or {@code null}
	 */
	public InvalidAnnotationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * What to do.
	 * @return the way out
	 */
	public String action() {
		return this.action;
	}

}
