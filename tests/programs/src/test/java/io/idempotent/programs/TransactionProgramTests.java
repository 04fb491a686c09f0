package io.idempotent.programs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generated programs of transactions and idempotent calls, and an oracle that knows what
 * may come of them. A thousand run with every build. To run 100,000 on H2 and 5,000 on
 * PostgreSQL:
 *
 * <pre>
 * mvn -Pprograms -pl tests/programs -am test
 * </pre>
 *
 * <p>
 * A program that fails is printed as text, with the seed that draws it.
 * {@code -Didempotent.programs.seed=…} begins with another seed,
 * {@code -Didempotent.programs.count=…} runs more or fewer.
 */
class TransactionProgramTests {

	private static final long SEED = Long.getLong("idempotent.programs.seed", 20_261_121L);

	private static final int COUNT = Integer.getInteger("idempotent.programs.count", 1_000);

	private static final int SHOWN = Integer.getInteger("idempotent.programs.shown", 5);

	@Test
	@Timeout(7_200)
	void programsBehaveAsDocumented() {
		try (Worlds worlds = new Worlds(Databases::h2)) {
			check(worlds, COUNT);
		}
	}

	@Test
	@Timeout(7_200)
	@EnabledIfSystemProperty(named = "idempotent.programs.postgres", matches = "\\d+")
	void programsBehaveAsDocumentedOnPostgres() {
		try (Worlds worlds = new Worlds(Databases::postgres)) {
			check(worlds, Integer.getInteger("idempotent.programs.postgres"));
		}
	}

	private static void check(Worlds worlds, int count) {
		System.out.println(count + " programs from seed " + SEED);
		Findings findings = new Findings(worlds).run(SEED, count);
		assertThat(findings.isEmpty()).as(() -> findings.report(SHOWN)).isTrue();
	}

}
