package io.idempotent.programs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProgramTextTests {

	private static final int COUNT = 2_000;

	@Test
	void printedProgramsCanBeParsed() {
		for (long seed = 0; seed < COUNT; seed++) {
			Program program = Generator.draw(seed);
			assertThat(ProgramReader.read(program.toString())).isEqualTo(program);
		}
	}

	@Test
	void aSeedDrawsTheSameProgramAgain() {
		assertThat(Generator.draw(7)).isEqualTo(Generator.draw(7)).isNotEqualTo(Generator.draw(8));
	}

	@Test
	void programsAreSmallAndHaveEveryStatement() {
		StringBuilder all = new StringBuilder();
		for (long seed = 0; seed < COUNT; seed++) {
			Program program = Generator.draw(seed);
			assertThat(program.size()).isLessThan(60);
			all.append(program);
		}
		assertThat(all).contains("call ", "tx main requires-new", "tx same ", "tx other ", " serializable", "read-only",
				"catch", "retry", "on before-commit", "on after-rollback ordered", "synchronize after-completion",
				"lock annotated fenced", "lock template", "away", "meanwhile", "write\n", "write-unique", "throw\n",
				"throw-once", "reject", "rollback-only", "fail-commit reply-lost", "fail-commit not-committed", "flush",
				"lapse");
		for (Entrance entrance : Entrance.values()) {
			assertThat(all).contains(" " + entrance + "\n");
		}
	}

	@Test
	void invalidTextIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ProgramReader.read("call k1 {\n}"));
		assertThatIllegalArgumentException().isThrownBy(() -> ProgramReader.read("program plain local\nfly"));
	}

}
