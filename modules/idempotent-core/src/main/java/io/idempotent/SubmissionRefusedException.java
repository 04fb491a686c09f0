package io.idempotent;

import java.io.Serial;

/**
 * A submission did not run and got no stored answer. In HTTP responses it becomes a
 * problem document.
 */
public class SubmissionRefusedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final Refusal refusal;

	private final String operation;

	/**
	 * Creates the exception.
	 * @param refusal the reason
	 * @param operation the name of the operation
	 */
	public SubmissionRefusedException(Refusal refusal, String operation) {
		super("Operation '" + operation + "' refused a submission: " + refusal.code());
		this.refusal = refusal;
		this.operation = operation;
	}

	/**
	 * Why it was refused.
	 * @return the reason
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

}
