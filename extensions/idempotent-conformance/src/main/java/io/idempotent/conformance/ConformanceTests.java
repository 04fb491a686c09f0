package io.idempotent.conformance;

import java.net.URI;
import java.util.Objects;
import java.util.stream.Stream;

import io.idempotent.conformance.Result.Outcome;
import io.idempotent.conformance.Vector.Clause;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the vectors of a profile as JUnit tests, one for each: extend it, and describe the
 * service. A vector for which the description is not sufficient is skipped.
 */
public abstract class ConformanceTests {

	/** The protocol that the service follows. */
	protected abstract Profile profile();

	/** The service, which is running when the tests are created. */
	protected abstract Target target();

	/** Whether the vectors of a level are tests, which all are by default. */
	protected boolean includes(Level level) {
		return true;
	}

	@TestFactory
	Stream<DynamicTest> conforms() {
		Session session = new Session(target(), profile());
		return ConformanceKit.vectors(profile())
			.stream()
			.filter((vector) -> includes(clause(vector).level()))
			.map((vector) -> DynamicTest.dynamicTest(vector.id() + ": " + vector.sentence(),
					URI.create(clause(vector).link()), () -> run(vector, session)));
	}

	private Clause clause(Vector vector) {
		return Objects.requireNonNull(vector.clause(profile()));
	}

	private static void run(Vector vector, Session session) {
		Result result = ConformanceKit.run(vector, session);
		Assumptions.assumeFalse(result.outcome() == Outcome.NOT_RUN, result.detail());
		if (result.outcome() == Outcome.FAILED) {
			Assertions
				.fail(result.sentence() + " (" + result.level() + ", " + result.source() + "): " + result.detail());
		}
	}

}
