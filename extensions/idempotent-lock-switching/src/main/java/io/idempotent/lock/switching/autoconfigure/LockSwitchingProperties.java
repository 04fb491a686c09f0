package io.idempotent.lock.switching.autoconfigure;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.lock.switching.SwitchSettings;
import io.idempotent.lock.switching.WhenAuthorityAway;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of switching between engines, which all nodes agree on.
 *
 * @param enabled Whether all nodes agree on the engine in force, and switch together.
 * Without it, the first engine is used for all locks that name none.
 * @param authority Name of the engine whose servers keep what the nodes agree on:
 * zookeeper, jdbc, redisson or redis. Defaults to the first of these that is named in
 * idempotent.lock.engines.
 * @param leaseTime How long a node may take locks without contact to the authority. The
 * same on all nodes.
 * @param authorityAway What a node does without contact to the authority for longer.
 * @param drainTime How long a switch waits for the locks that are held, before it is
 * called off.
 * @param automatic Whether the nodes switch by themselves when an engine fails on most of
 * them, and back when it has recovered.
 * @param dwellTime Minimum time between two automatic switches.
 * @param recoveryTime How long an engine must have worked until the nodes switch back to
 * it.
 */
@ConfigurationProperties("idempotent.lock.switching")
record LockSwitchingProperties(@DefaultValue("false") boolean enabled, @Nullable String authority,
		@DefaultValue("30s") Duration leaseTime, @DefaultValue("stop-granting") WhenAuthorityAway authorityAway,
		@DefaultValue("1m") Duration drainTime, @DefaultValue("false") boolean automatic,
		@DefaultValue("1m") Duration dwellTime, @DefaultValue("5m") Duration recoveryTime) {

	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	LockSwitchingProperties {
		PropertyAssertions.that(leaseTime.compareTo(SHORTEST_LEASE) >= 0, "idempotent.lock.switching.lease-time",
				leaseTime, "it must be at least a second",
				"Give a time such as 30s, longer than a request to the authority may take");
		PropertyAssertions.that(drainTime.compareTo(leaseTime.plus(leaseTime.dividedBy(10))) > 0,
				"idempotent.lock.switching.drain-time", drainTime,
				"each switch would be called off before the lease of a node that died has ended",
				"Give a time longer than 1.1 times idempotent.lock.switching.lease-time, such as twice as long");
		PropertyAssertions.positive("idempotent.lock.switching.dwell-time", dwellTime);
		PropertyAssertions.positive("idempotent.lock.switching.recovery-time", recoveryTime);
		PropertyAssertions.that(enabled || !automatic, "idempotent.lock.switching.automatic", automatic,
				"it has no effect while idempotent.lock.switching.enabled is not set",
				"Set idempotent.lock.switching.enabled=true, or remove it");
	}

	SwitchSettings toSettings() {
		return new SwitchSettings(this.leaseTime, this.drainTime, this.dwellTime, this.authorityAway);
	}

}
