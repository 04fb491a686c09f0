package io.idempotent.contract.store;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.idempotent.contract.ContractTest;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract is believed because it has been seen to fail: each store here has one of
 * the defects that the field reports, and the contract names it.
 */
class PlantedMutantTests {

	@Test
	void aStoreWithoutADefectPasses() {
		assertThat(failuresOf((sound) -> sound)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void theContractCatches(PlantedMutant mutant) {
		assertThat(failuresOf(mutant::plantedIn)).containsAll(mutant.caughtBy());
	}

	private static Set<String> failuresOf(Function<LocalIdempotencyStore, IdempotencyStore> mutant) {
		Set<String> failures = new TreeSet<>();
		ContractTest.of(IdempotencyStoreContract.class).forEach((test) -> {
			try {
				test.run(new MutantContract(mutant));
			}
			catch (TestAbortedException ex) {
				// A mutant offers no wake-ups.
			}
			catch (Throwable ex) {
				failures.add(test.name());
			}
		});
		return failures;
	}

	private static final class MutantContract extends IdempotencyStoreContract {

		private final AtomicLong nanoTime = new AtomicLong();

		private final IdempotencyStore store;

		MutantContract(Function<LocalIdempotencyStore, IdempotencyStore> mutant) {
			LocalIdempotencyStore sound = new LocalIdempotencyStore(1_000, this.nanoTime::get);
			this.store = mutant.apply(sound);
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
