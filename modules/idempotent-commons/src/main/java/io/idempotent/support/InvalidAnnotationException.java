package io.idempotent.support;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * An annotation is invalid; the application does not start.
 */
public class InvalidAnnotationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates the exception.
	 * @param message which method, which attribute, which value, and why it cannot work
	 * @param action how to correct it
	 * @param cause the cause, or {@code null}
	 */
	public InvalidAnnotationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * How to correct the annotation.
	 * @return the action
	 */
	public String action() {
		return this.action;
	}

}
