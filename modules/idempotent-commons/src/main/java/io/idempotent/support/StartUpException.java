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

	/** The description is a sentence without its full stop: what is wrong, and why. */
	public StartUpException(String description, String action, @Nullable Throwable cause) {
		super(description + ". " + action, cause);
		this.description = description;
		this.action = action;
	}

	public String description() {
		return this.description;
	}

	public String action() {
		return this.action;
	}

}
