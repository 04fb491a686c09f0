package io.idempotent.method.internal.call;

import java.io.Serial;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;

/**
 * A call of a method has no key.
 */
final class KeyMissingException extends SubmissionRefusedException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String lookedFor;

	/**
	 * Creates the exception.
	 * @param operation the name of the operation
	 * @param lookedFor where the key was looked for
	 */
	KeyMissingException(String operation, String lookedFor) {
		super(Refusal.KEY_MISSING, operation);
		this.lookedFor = lookedFor;
	}

	@Override
	public String getMessage() {
		return super.getMessage() + ". Looked for " + this.lookedFor;
	}

}
