package io.idempotent.administration;

import io.idempotent.store.RecordState;

/**
 * What an operator can do about an operation.
 */
public enum Advice {

	/** There is no record under this key; there may be one under another key. */
	NONE("This application has no record under this key, which includes caller, tenant, session and path: name those of "
			+ "the client. If they are right, the operation never ran, took no effect, or its retention has ended; of an "
			+ "operation with steps, some may be done."),

	/** There is nothing to do: it may be claimed. */
	SUBMIT("The key may be claimed: a submission runs the operation."),

	/** It runs. */
	WAIT("The lease of the owner has not ended: wait. While the owner runs, it renews the lease; if its node hangs, "
			+ "stop that node."),

	/** There is no proof either way. */
	CHECK("The owner stopped renewing, or could not tell: the outcome is unknown. Check in the system that the operation writes to "
			+ "whether it took effect: if it did, confirm; if it did not, release."),

	/** There is a receipt, and the record does not know it yet. */
	CONFIRM("The receipt proves that the operation took effect: confirm, or let the next submission find the receipt."),

	/** There is nothing to do: it counts as done. */
	DONE("The operation counts as done (with BURN from its beginning): repeats get its answer, or a refusal where no answer "
			+ "was stored.");

	private final String text;

	Advice(String text) {
		this.text = text;
	}

	/** The advice in English: one or two sentences. */
	public String text() {
		return this.text;
	}

	static Advice of(RecordState state, boolean receipt) {
		return switch (state) {
			case ABSENT -> receipt ? DONE : NONE;
			case ISSUED -> receipt ? DONE : SUBMIT;
			case IN_PROGRESS -> WAIT;
			case UNKNOWN -> receipt ? CONFIRM : CHECK;
			case COMPLETED -> DONE;
		};
	}

}
