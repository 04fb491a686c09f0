package io.idempotent.switching;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.idempotent.switching.Judge.Violation;

/**
 * What a run has shown.
 *
 * @param authority whose server was the authority
 * @param duration how long it took
 * @param switches the switches that were completed
 * @param calledOff the calls that ended because their switch was called off
 * @param cancelled the switches that a node called off by a call
 * @param kills nodes that were killed
 * @param pauses nodes that were paused
 * @param partitions nodes that were cut off
 * @param outages servers that were stopped
 * @param sections the times a lock was held
 * @param longestGap the longest time in which no lock was granted
 * @param violations what must not have happened
 */
record SwitchFindings(Engines authority, Duration duration, long switches, int calledOff, int cancelled, int kills,
		int pauses, int partitions, int outages, int sections, Duration longestGap, List<Violation> violations) {

	static Duration longestGap(Collection<Section> sections) {
		long[] starts = sections.stream().mapToLong(Section::from).sorted().toArray();
		long longest = 0;
		for (int i = 1; i < starts.length; i++) {
			longest = Math.max(longest, starts[i] - starts[i - 1]);
		}
		return Duration.ofNanos(longest);
	}

	@Override
	public String toString() {
		return """
				authority %s: %d switches in %d s (%d calls called off, %d cancelled), %d kills, %d pauses, \
				%d partitions, %d outages, %d sections, %d ms without a grant at most, %d violations""".formatted(
				this.authority, this.switches, this.duration.toSeconds(), this.calledOff, this.cancelled, this.kills,
				this.pauses, this.partitions, this.outages, this.sections, this.longestGap.toMillis(),
				this.violations.size());
	}

}
