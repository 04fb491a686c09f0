package io.idempotent.programs;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The generator is believed because it has been seen to find: each library here has one
 * of the mends taken out, or something in the place of one of its parts, and some program
 * deviates.
 */
@Tag("mutants")
class PlantedTransactionMutantTests {

	@ParameterizedTest
	@EnumSource
	void theGeneratorFindsAMissingFix(Mend mend, @TempDir Path directory) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (LibraryWithoutMend library = LibraryWithoutMend.load(mend, directory)) {
			thread.setContextClassLoader(library);
			tell(mend,
					((Callable<?>) library.loadClass(FirstFinding.class.getName())
						.getDeclaredConstructor()
						.newInstance()).call());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	@ParameterizedTest
	@EnumSource
	void theGeneratorFinds(TransactionMutant mutant) {
		tell(mutant, FirstFinding.in(mutant));
	}

	private static void tell(Enum<?> mutant, Object found) {
		System.out.println(mutant + " is found " + found);
		assertThat(found).as("What finds " + mutant).isNotEqualTo(FirstFinding.NONE);
	}

}
