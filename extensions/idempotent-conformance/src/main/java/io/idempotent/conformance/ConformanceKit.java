package io.idempotent.conformance;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Checks whether a service follows a protocol of the {@code Idempotency-Key} header. It
 * sees nothing but HTTP. Each run uses keys of its own, and leaves its effects in the
 * service: check a test system.
 */
public final class ConformanceKit {

	private static final List<Vector> VECTORS = Stream
		.of(KeyVectors.all(), SyntaxVectors.all(), ReplayVectors.all(), ContentVectors.all(), ScopeVectors.all(),
				ConcurrencyVectors.all(), ErrorVectors.all(), RefusalVectors.all())
		.flatMap(List::stream)
		.toList();

	private ConformanceKit() {
	}

	/**
	 * Runs all vectors of a profile, one after the other.
	 * @param profile the profile
	 * @param target the service
	 */
	public static Report run(Profile profile, Target target) {
		return run(profile, target, (result) -> {
		});
	}

	static Report run(Profile profile, Target target, Consumer<Result> progress) {
		Session session = new Session(target, profile);
		return new Report(profile,
				vectors(profile).stream().map((vector) -> run(vector, session)).peek(progress).toList());
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
			return Result.of(vector, clause, Result.Outcome.PASSED, "");
		}
		catch (NotRun ex) {
			return Result.of(vector, clause, Result.Outcome.NOT_RUN, String.valueOf(ex.getMessage()));
		}
		catch (NotConforming ex) {
			return Result.of(vector, clause, Result.Outcome.FAILED, String.valueOf(ex.getMessage()));
		}
	}

}
