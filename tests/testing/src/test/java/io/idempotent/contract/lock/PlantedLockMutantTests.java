package io.idempotent.contract.lock;

import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

import io.idempotent.contract.ContractTest;
import io.idempotent.contract.lock.LeasedMemory.Defect;
import io.idempotent.lock.engine.LockEngine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract is believed because it has been seen to fail: each engine here has one of
 * the defects that the field reports, and the contract names it.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class PlantedLockMutantTests {

	/** A race does not come about in every run. */
	private static final int RUNS = 10;

	@Test
	void anEngineWithoutADefectPasses() {
		assertThat(failuresOf(EnumSet.noneOf(Defect.class), "")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "CHECK_THEN_SET, excludesAllThreadsOfAllNodes",
			"RELEASE_WITHOUT_OWNER, leavesTheNextHolderAloneAfterTheRelease",
			"RELEASE_WITHOUT_OWNER, endsALeaseThatIsNotRenewed",
			"RENEW_WITHOUT_OWNER, leavesTheNextHolderAloneAfterTheRelease",
			"RENEW_WITHOUT_OWNER, endsALeaseThatIsNotRenewed", "RENEW_BRINGS_BACK, renewsNothingAfterTheRelease",
			"RENEW_AFTER_RELEASE, ignoresALateRenewalOfAReleasedLock",
			"RELEASE_AT_ONCE, keepsALockTakenForAWhileAfterItsRelease",
			"TOKEN_READ_AGAIN, keepsTheTokenOfAGrantThatWasFollowedByAnother",
			"INTERRUPTED_GRANT_LEFT, acquiresNothingWhenInterruptedBefore",
			"ANY_WAIT_INTERRUPTIBLE, waitsThroughInterruptsInItsTurn",
			"ANY_WAIT_INTERRUPTIBLE, keepsAnInterruptThatComesWithACancellation",
			"PASS_ON_WITHOUT_OWNER, handsOverNothingThatIsLost", "PASS_ON_AS_IT_IS, handsOverWithANewTokenAndOwner",
			"PASS_ON_AS_IT_IS, handsOverWithTheLeaseOfTheNextHolder" })
	@CsvSource({ "CHECK_THEN_READ, admitsAWriterAloneOrReaders",
			"READERS_IGNORE_WRITERS, refusesReadersWhileAWriterHolds",
			"WRITERS_IGNORE_READERS, refusesAWriterUntilTheLastReaderLeaves",
			"READERS_EXCLUDE_READERS, sharesALockAmongReadersOfAllNodes",
			"ONE_LEASE_FOR_READERS, endsTheLeaseOfEachReaderByItself", "READER_FREES_ALL, releasesEachReaderOnce",
			"WRITERS_WAIT_UNSEEN, admitsNoReaderWhileAWriterWaits",
			"WAITS_AFTER_GIVING_UP, admitsReadersAfterAWriterGaveUp",
			"WRITERS_FIRST, admitsReadersBetweenWritersThatNeverPause" })
	@CsvSource({ "FORCED_RELEASE_KEEPS_READERS, takesALockAwayFromAllReaders",
			"FORCED_RELEASE_KEEPS_GRANT, revivesNoLockThatWasTakenAway",
			"FORCED_RELEASE_RESETS_TOKEN, takesALockAwayFromItsHolder",
			"FORCED_RELEASE_ALWAYS_DONE, takesAwayNothingFromAFreeLock",
			"INSPECTION_RENEWS, changesNothingByInspection", "INSPECTION_SHOWS_ENDED, showsALockThatHasEnded",
			"INSPECTION_SHOWS_ONE_READER, showsEachReader" })
	void theContractCatches(Defect defect, String test) {
		Set<String> failures = Set.of();
		for (int i = 0; i < RUNS && failures.isEmpty(); i++) {
			failures = failuresOf(EnumSet.of(defect), test);
		}
		assertThat(failures).containsExactly(test);
	}

	private static Set<String> failuresOf(Set<Defect> defects, String only) {
		Set<String> failures = new TreeSet<>();
		ContractTest.of(LockEngineContract.class)
			.filter((test) -> only.isEmpty() || test.name().equals(only))
			.forEach((test) -> {
				MutantContract contract = new MutantContract(new LeasedMemory(defects));
				contract.start();
				try {
					test.run(contract);
				}
				catch (Throwable ex) {
					failures.add(test.name());
				}
				finally {
					Thread.interrupted();
					contract.stop();
				}
			});
		return failures;
	}

	private static final class MutantContract extends LockEngineContract {

		private final LeasedMemory memory;

		MutantContract(LeasedMemory memory) {
			this.memory = memory;
		}

		@Override
		protected LockEngine node() {
			return this.memory.client();
		}

	}

}
