package io.idempotent.support;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The application does not start, because an annotation is invalid or something is
 * missing. The message says what is wrong and how to correct it.
 */
public class StartUpException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates the exception.
	 * @param description what is wrong, with its name, its value and the reason: a
	 * sentence without its full stop
	 * @param action how to correct it: a sentence without its full stop
	 * @param cause the cause, or {@code null}
	 */
	public StartUpException(String description, String action, @Nullable Throwable cause) {
		super(description + ". " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * What is wrong.
	 * @return a sentence without its full stop
	 */
	public String description() {
		return this.description;
	}

	/**
	 * How to correct it.
	 * @return a sentence without its full stop
	 */
	public String action() {
		return this.action;
	}

}
