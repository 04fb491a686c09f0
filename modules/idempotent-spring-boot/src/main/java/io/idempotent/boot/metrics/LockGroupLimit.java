package io.idempotent.boot.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;

/**
 * Bounds the number of lock groups in tags: a name without a colon is a group of its own,
 * and it may contain the value of a key. Further groups are counted as {@value #OTHER}.
 */
final class LockGroupLimit implements MeterFilter {

	static final int MAX_GROUPS = 100;

	static final String OTHER = "other";

	private final Set<String> groups = ConcurrentHashMap.newKeySet();

	@Override
	public Meter.Id map(Meter.Id id) {
		String group = id.getName().startsWith("idempotent.lock") ? id.getTag("group") : null;
		return (group == null || isKnown(group)) ? id : id.withTag(Tag.of("group", OTHER));
	}

	/** Threads that meet a new group at the same time may exceed the limit by a few. */
	private boolean isKnown(String group) {
		return this.groups.contains(group) || (this.groups.size() < MAX_GROUPS && this.groups.add(group));
	}

}
