package io.idempotent.programs;

import java.io.IOException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mutants take long, and are seldom built: that each is still one is told at once.
 */
class MendTests {

	@ParameterizedTest
	@EnumSource
	void aMendStandsInItsClass(Mend mend) throws IOException {
		assertThat(LibraryWithoutMend.sources(mend)).isNotEmpty();
	}

}
