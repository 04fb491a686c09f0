package io.idempotent.conformance;

import java.util.List;
import java.util.stream.Stream;

import io.idempotent.conformance.Result.Outcome;
import io.idempotent.conformance.Session.CheckEnded;
import io.idempotent.conformance.Vector.Clause;

/**
 * Checks whether a service follows a protocol of the {@code Idempotency-Key} header. It
 * sees nothing but HTTP. Each run uses keys of its own, and leaves its effects in the
 * service: check a test system.
 */
public final class ConformanceKit {

	private static final List<Vector> VECTORS = Stream
		.of(KeyVectors.all(), KeyVectors.syntax(), ReplayVectors.all(), ContentVectors.all(), ContentVectors.scope(),
				FailureVectors.concurrency(), FailureVectors.errors(), RefusalVectors.all())
		.flatMap(List::stream)
		.toList();

	private ConformanceKit() {
	}

	/** Runs all vectors of a profile, one after the other. */
	public static Report run(Profile profile, Target target) {
		Session session = new Session(target, profile);
		return new Report(profile, vectors(profile).stream().map((vector) -> run(vector, session)).toList());
	}

	static List<Vector> vectors() {
		return VECTORS;
	}

	static List<Vector> vectors(Profile profile) {
		return VECTORS.stream().filter((vector) -> vector.clause(profile) != null).toList();
	}

	static Result run(Vector vector, Session session) {
		Clause clause = vector.clause(session.profile());
		if (clause == null) {
			throw new IllegalArgumentException(
					"The vector " + vector.id() + " does not belong to the profile " + session.profile().id());
		}
		try {
			vector.check().run(session);
			return Result.of(vector, clause, Outcome.PASSED, "");
		}
		catch (CheckEnded ex) {
			return Result.of(vector, clause, ex.outcome(), String.valueOf(ex.getMessage()));
		}
	}

}
