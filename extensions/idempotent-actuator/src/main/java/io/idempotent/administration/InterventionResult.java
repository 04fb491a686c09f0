package io.idempotent.administration;

/**
 * The result of an intervention.
 */
public sealed interface InterventionResult {

	/** What is known of the operation after the intervention, or at its refusal. */
	OperationRecord record();

	/**
	 * The intervention was done.
	 *
	 * @param record the record after it
	 */
	record Done(Intervention intervention, OperationRecord record) implements InterventionResult {
	}

	/** The intervention was refused, and nothing was changed. */
	record Refused(RefusedBecause reason, OperationRecord record) implements InterventionResult {
	}

	/** Why an intervention was refused. */
	enum RefusedBecause {

		/** The lease of the owner has not ended: wait, or use force. */
		OWNER_ALIVE("The lease of the owner has not ended: wait until it has, or use force"),

		/** Only operations that are in progress or unknown can be settled. */
		NOT_IN_PROGRESS("No operation is in progress or unknown under this key: there is nothing to settle"),

		/** The receipt proves that it took effect: confirm. */
		TOOK_EFFECT("The receipt proves that the operation took effect, so that it cannot run again: confirm it"),

		/** Another call has changed the record meanwhile: look again. */
		CHANGED("The record was changed meanwhile: look at it again");

		private final String text;

		RefusedBecause(String text) {
			this.text = text;
		}

		/** The reason in English: a sentence without a full stop. */
		public String text() {
			return this.text;
		}

	}

}
