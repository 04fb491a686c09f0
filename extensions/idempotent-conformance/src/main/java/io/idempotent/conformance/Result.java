package io.idempotent.conformance;

import io.idempotent.conformance.Vector.Clause;

/**
 * The result of one vector.
 *
 * @param id the id of the vector, which never changes its meaning
 * @param sentence what was checked
 * @param level how strictly it is required
 * @param source where it is required
 * @param link the address of that place
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

		/** The description of the target lacks something that the check needs. */
		NOT_RUN

	}

}
