package io.idempotent.programs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The generator is believed because it has been seen to find: each application here has
 * one of the mends taken out, and some program deviates.
 */
class PlantedTransactionMutantTests {

	private static final int PROGRAMS = 3_000;

	private static final long SEED = 20_261_121L;

	@ParameterizedTest
	@EnumSource
	void theGeneratorFinds(TransactionMutant mutant) {
		try (Worlds worlds = new Worlds(Databases::h2, mutant)) {
			Findings findings = new Findings(worlds);
			for (long seed = SEED; seed < SEED + PROGRAMS && findings.isEmpty(); seed++) {
				findings.run(seed, 1);
			}
			assertThat(findings.found()).as("programs that find " + mutant).isNotEmpty();
			System.out.println(mutant + " is found by program " + (findings.found().get(0).seed() - SEED) + ": "
					+ findings.found().get(0).deviation());
		}
	}

}
