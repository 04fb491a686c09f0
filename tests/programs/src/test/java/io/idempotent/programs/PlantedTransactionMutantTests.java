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
 * of the mends taken out, and some program deviates.
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
			Object found = ((Callable<?>) library.loadClass(FirstFinding.class.getName())
				.getDeclaredConstructor()
				.newInstance()).call();
			System.out.println("Without " + mend + " a deviation is found " + found);
			assertThat(found).as("What finds that " + mend + " is missing").isNotEqualTo(FirstFinding.NONE);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

}
