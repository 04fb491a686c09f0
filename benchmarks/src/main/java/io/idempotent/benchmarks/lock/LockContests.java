package io.idempotent.benchmarks.lock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.idempotent.benchmarks.lock.OtherJvm.Shares;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;

/**
 * The contests on one kind of server.
 */
final class LockContests {

	private final Effort effort;

	private final List<LockContender> contenders;

	private final List<LockContender> patient;

	private final Map<LockContender, Tally> tallies;

	private final Random order = new Random(4);

	LockContests(Effort effort, List<LockContender> contenders, Path directory) throws IOException {
		this.effort = effort;
		this.contenders = contenders;
		this.patient = contenders.stream().filter((contender) -> contender.role().waits()).toList();
		this.tallies = tallies(this.patient, directory);
	}

	/**
	 * Opens the tallies of contenders.
	 * @param contenders the contenders
	 * @param directory where the tallies are, for all JVMs
	 * @return a tally for each
	 * @throws IOException if they cannot be opened
	 */
	static Map<LockContender, Tally> tallies(List<LockContender> contenders, Path directory) throws IOException {
		Map<LockContender, Tally> tallies = new LinkedHashMap<>();
		for (LockContender contender : contenders) {
			tallies.put(contender, new Tally(directory.resolve(contender.lockName(0).replace(':', '-'))));
		}
		return tallies;
	}

	List<LockContender> contenders() {
		return this.contenders;
	}

	List<LockContender> patient() {
		return this.patient;
	}

	/**
	 * Each thread has a lock of its own.
	 * @param threads how many threads
	 * @return figures by contender
	 * @throws Exception if a lock fails
	 */
	Map<String, Figures> free(int threads) throws Exception {
		return new Contest(this.effort, threads).run(this.contenders.stream()
			.map((contender) -> new Contender(contender.name(),
					(stopwatch) -> contender.guard()
						.run(contender.lockName(1 + stopwatch.thread()), LockContests::nothing)))
			.toList());
	}

	/**
	 * All threads want the same lock.
	 * @param threads how many threads
	 * @return figures by contender
	 * @throws Exception if a lock fails
	 */
	Map<String, Figures> contended(int threads) throws Exception {
		Map<String, Figures> figures = new Contest(this.effort, threads).run(this.tallies.entrySet()
			.stream()
			.map((entry) -> new Contender(entry.getKey().name(),
					(stopwatch) -> entry.getKey().guard().run(entry.getKey().lockName(0), entry.getValue())))
			.toList());
		this.tallies.forEach((contender, tally) -> tally.check(contender.name(), 0));
		return figures;
	}

	/**
	 * Threads of two JVMs want the same lock.
	 * @param other the second JVM
	 * @return what both got done in each round, by contender
	 * @throws Exception if a lock fails
	 */
	Map<String, List<Shares>> across(OtherJvm other) throws Exception {
		Map<String, List<Shares>> shares = new LinkedHashMap<>();
		this.patient.forEach((contender) -> shares.put(contender.name(), new ArrayList<>()));
		for (int round = 0; round <= this.effort.rounds(); round++) {
			List<LockContender> shuffled = new ArrayList<>(this.patient);
			Collections.shuffle(shuffled, this.order);
			for (LockContender contender : shuffled) {
				Shares found = other.workTogether(contender, tally(contender), this.effort.turn());
				if (round > 0) {
					shares.getOrDefault(contender.name(), List.of()).add(found);
				}
			}
		}
		for (LockContender contender : this.patient) {
			tally(contender).check(contender.name(), other.entered(contender));
		}
		return shares;
	}

	private static void nothing() {
	}

	private Tally tally(LockContender contender) {
		Tally tally = this.tallies.get(contender);
		if (tally == null) {
			throw new IllegalArgumentException(contender.name() + " does not wait");
		}
		return tally;
	}

}
