package io.idempotent.engine;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.engine.PlantedMutants.Mutant;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract is believed because it has been seen to fail: each store here has one of
 * the defects that the field reports, and the contract names it.
 */
class PlantedMutantTests {

	@Test
	void aStoreWithoutADefectPasses() {
		assertThat(failuresOf(null)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void theContractCatches(Mutant mutant) {
		Set<String> failures = failuresOf(mutant);
		System.out.println(mutant + " is caught by " + failures);
		assertThat(failures).containsAll(mutant.caughtBy());
	}

	private static Set<String> failuresOf(Mutant mutant) {
		Set<String> failures = new TreeSet<>();
		AnnotationSupport
			.findAnnotatedMethods(IdempotencyStoreContract.class, Test.class, HierarchyTraversalMode.TOP_DOWN)
			.forEach((test) -> {
				try {
					ReflectionSupport.invokeMethod(test, new MutantContract(mutant));
				}
				catch (TestAbortedException ex) {
					// A mutant offers no wake-ups.
				}
				catch (Throwable ex) {
					failures.add(test.getName());
				}
			});
		return failures;
	}

	private static final class MutantContract extends IdempotencyStoreContract {

		private final AtomicLong nanoTime = new AtomicLong();

		private final IdempotencyStore store;

		MutantContract(Mutant mutant) {
			LocalIdempotencyStore sound = new LocalIdempotencyStore(1_000, this.nanoTime::get);
			this.store = (mutant != null) ? mutant.plantedIn(sound) : sound;
		}

		@Override
		protected IdempotencyStore store() {
			return this.store;
		}

		@Override
		protected void pass(Duration time) {
			this.nanoTime.addAndGet(time.toNanos());
		}

	}

}
