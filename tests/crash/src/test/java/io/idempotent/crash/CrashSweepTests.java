package io.idempotent.crash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.crash.CrashApplication.CrashStore;
import io.idempotent.crash.CrashSweep.Manner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that dies or stands still at any point of an operation has the outcome that
 * README.md of this module shows, which says how to repeat this.
 */
@Tag("slow")
@Timeout(3600)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "There are no signals to stop and continue a process")
class CrashSweepTests {

	private static final int ROUNDS = Integer.getInteger("idempotent.crash.rounds", 1);

	private static final long SEED = Long.getLong("idempotent.crash.seed", System.nanoTime());

	private static CrashServers servers;

	@BeforeAll
	static void startServers() {
		System.out.println("-Didempotent.crash.seed=" + SEED + " -Didempotent.crash.rounds=" + ROUNDS);
		servers = new CrashServers();
	}

	@AfterAll
	static void stopServers() {
		if (servers != null) {
			servers.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void withoutReceiptsTheResultsAreAsPublished(CrashStore store) throws Exception {
		assertPublished("Without receipts", sweep(store.name(), servers.arguments(store)));
	}

	@ParameterizedTest
	@EnumSource
	void withReceiptsNothingTakesEffectTwiceAndNothingIsLost(CrashStore store) throws Exception {
		List<String> guarded = new ArrayList<>(servers.arguments(store));
		guarded.add("--idempotent.guard.enabled=true");
		Found found = sweep(store + ".guarded", guarded);
		assertThat(found.all()).as("seed %d", SEED).filteredOn(Observation::isDuplicated).isEmpty();
		assertPublished("With receipts", found);
	}

	/**
	 * What a sweep finds where records are lost.
	 */
	@Test
	void aForgetfulStoreIsDetected() throws Exception {
		List<String> forgetful = new ArrayList<>(servers.arguments(CrashStore.REDIS));
		forgetful.add("--crash.forgetful=true");
		try (CrashSweep sweep = new CrashSweep(servers.database(), forgetful, new Random(SEED))) {
			List<Observation> found = sweep.run(Manner.KILL);
			assertThat(found).filteredOn(Observation::isDuplicated)
				.extracting((observation) -> observation.trial().point())
				.contains(CrashPoint.AFTER_RECORD, CrashPoint.BEFORE_RESPONSE);
			assertThat(OutcomeTable.found(found))
				.isNotEqualTo(OutcomeTable.published("Without receipts", "The process dies"));
		}
	}

	private static Found sweep(String name, List<String> arguments) throws Exception {
		Random random = new Random(SEED + name.hashCode());
		Found found = new Found(new ArrayList<>(), new ArrayList<>());
		try (CrashSweep sweep = new CrashSweep(servers.database(), arguments, random)) {
			for (int i = 0; i < ROUNDS; i++) {
				found.stoodStill().addAll(sweep.run(Manner.STOP));
				found.died().addAll(sweep.run(random.nextBoolean() ? Manner.HALT : Manner.KILL));
			}
		}
		return found;
	}

	private static void assertPublished(String section, Found found) throws IOException {
		assertThat(OutcomeTable.found(found.died())).as("seed %d", SEED)
			.isEqualTo(OutcomeTable.published(section, "The process dies"));
		assertThat(withoutLateAnswers(section, OutcomeTable.found(found.stoodStill()))).as("seed %d", SEED)
			.isEqualTo(withoutLateAnswers(section, OutcomeTable.published(section, "The process stands still")));
		assertThat(found.all()).as("seed %d", SEED).filteredOn(Observation::isLost).isEmpty();
	}

	/**
	 * A run that stood still before its commit may record its answer before its repeat,
	 * which waited for that commit, looks for it.
	 */
	private static String withoutLateAnswers(String section, String table) {
		return !section.equals("With receipts") ? table
				: table.lines()
					.map((line) -> line.startsWith("| before commit ")
							? line.replace("1, replayed; late: runs OR 1, response-unavailable", "1, replayed")
								.replace("1, replayed", "1, response-unavailable")
							: line)
					.collect(Collectors.joining("\n"));
	}

	private record Found(List<Observation> died, List<Observation> stoodStill) {

		List<Observation> all() {
			return Stream.of(this.died, this.stoodStill).flatMap(List::stream).toList();
		}

	}

}
