package io.idempotent.conformance;

/**
 * The result of one vector.
 *
 * @param id the id of the vector, which never changes its meaning
 * @param sentence what was checked
 * @param level how strictly it is required
 * @param source where it is required
 * @param link the address of that place
 * @param outcome the outcome
 * @param detail why it failed or was not run; empty if it passed
 */
public record Result(String id, String sentence, Level level, String source, String link, Outcome outcome,
		String detail) {

	static Result of(Vector vector, Clause clause, Outcome outcome, String detail) {
		return new Result(vector.id(), vector.sentence(), clause.level(), clause.cite(), clause.link(), outcome,
				detail);
	}

	/**
	 * The outcomes.
	 */
	public enum Outcome {

		/** The target conforms. */
		PASSED,

		/** The target does not conform. */
		FAILED,

		/**
		 * The check needs something that the description of the target does not contain.
		 */
		NOT_RUN

	}

}
