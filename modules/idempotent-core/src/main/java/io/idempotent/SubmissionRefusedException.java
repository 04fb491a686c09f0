package io.idempotent;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A submission did not run and got no stored answer. In HTTP responses it becomes a
 * problem document.
 */
public class SubmissionRefusedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final Refusal refusal;

	private final String operation;

	private final @Nullable String userMessage;

	public SubmissionRefusedException(Refusal refusal, String operation) {
		this(refusal, operation, null);
	}

	/**
	 * Creates the exception with the operation's message to users about this refusal, or
	 * {@code null}.
	 */
	public SubmissionRefusedException(Refusal refusal, String operation, @Nullable String userMessage) {
		super("Operation '" + operation + "' refused a submission: " + refusal.code());
		this.refusal = refusal;
		this.operation = operation;
		this.userMessage = userMessage;
	}

	public Refusal refusal() {
		return this.refusal;
	}

	/** The name of the operation that refused it. */
	public String operation() {
		return this.operation;
	}

	/**
	 * The operation's message to users about a repeated submission: the attribute
	 * {@code message} of its annotation, for {@link Refusal#DUPLICATE} and
	 * {@link Refusal#IN_PROGRESS}. A text, or the code of a message in braces, or
	 * {@code null} if there is none.
	 */
	public @Nullable String userMessage() {
		return this.userMessage;
	}

}
