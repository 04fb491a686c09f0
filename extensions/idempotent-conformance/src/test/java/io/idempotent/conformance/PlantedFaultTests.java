package io.idempotent.conformance;

import io.idempotent.conformance.Result.Outcome;
import io.idempotent.conformance.SmallServer.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each bug of a service is found by the vector that is about it; without the bug, that
 * vector passes.
 */
class PlantedFaultTests {

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void aPlantedFaultIsFound(Fault fault) {
		assertThat(run(fault, fault.vector()).outcome()).isEqualTo(Outcome.FAILED);
		assertThat(run(Fault.NONE, fault.vector())).extracting(Result::outcome, Result::detail)
			.containsExactly(Outcome.PASSED, "");
	}

	private static Result run(Fault fault, String id) {
		Vector vector = ConformanceKit.vectors(Profile.ACP)
			.stream()
			.filter((candidate) -> candidate.id().equals(id))
			.findFirst()
			.orElseThrow();
		try (SmallServer server = new SmallServer(fault)) {
			return ConformanceKit.run(vector, new Session(server.target(), Profile.ACP));
		}
	}

}
