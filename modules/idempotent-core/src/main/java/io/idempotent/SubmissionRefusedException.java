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

	/**
	 * Creates the exception.
	 * @param refusal the reason
	 * @param operation the name of the operation
	 */
	public SubmissionRefusedException(Refusal refusal, String operation) {
		this(refusal, operation, null);
	}

	/**
	 * Creates the exception with a message of the operation.
	 * @param refusal the reason
	 * @param operation the name of the operation
	 * @param userMessage the operation's message to users about this refusal, or
	 * {@code null}
	 */
	public SubmissionRefusedException(Refusal refusal, String operation, @Nullable String userMessage) {
		super("Operation '" + operation + "' refused a submission: " + refusal.code());
		this.refusal = refusal;
		this.operation = operation;
		this.userMessage = userMessage;
	}

	/**
	 * Why it was refused.
	 */
	public Refusal refusal() {
		return this.refusal;
	}

	/**
	 * Which operation refused it.
	 * @return the name of the operation
	 */
	public String operation() {
		return this.operation;
	}

	/**
	 * The operation's message to users about a repeated submission: the attribute
	 * {@code message} of its annotation, for {@link Refusal#DUPLICATE} and
	 * {@link Refusal#IN_PROGRESS}.
	 * @return a text, or the code of a message in braces, or {@code null} if there is
	 * none
	 */
	public @Nullable String userMessage() {
		return this.userMessage;
	}

}
