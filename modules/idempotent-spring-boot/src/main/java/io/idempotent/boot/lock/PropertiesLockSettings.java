package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.idempotent.boot.lock.LockProperties.SingleLock;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Applies {@code idempotent.lock.locks}. A failure names the property that cannot work.
 */
record PropertiesLockSettings(Map<String, SingleLock> locks,
		Predicate<String> isEngine) implements LockOptions.Settings {

	private static final Log logger = LogFactory.getLog(PropertiesLockSettings.class);

	@Override
	public Duration waitTime(String name, Duration declared) {
		SingleLock own = this.locks.get(LockEvent.group(name));
		return (own != null) ? Objects.requireNonNullElse(own.waitTime(), declared) : declared;
	}

	@Override
	public LockOptions options(String name, LockOptions declared) {
		SingleLock own = this.locks.get(LockEvent.group(name));
		if (own == null) {
			return declared;
		}
		requireConsistent(LockEvent.group(name), own, declared);
		return new LockOptions(first(own.leaseTime(), declared.lease()), first(own.holdAtMost(), declared.holdAtMost()),
				Objects.requireNonNullElse(own.fair(), declared.fair()), first(own.engine(), declared.engine()),
				Objects.requireNonNullElse(own.holdAtLeast(), declared.holdAtLeast()), declared.interruptOnLoss(),
				declared.mode());
	}

	private static <T> @Nullable T first(@Nullable T setting, @Nullable T declared) {
		return (setting != null) ? setting : declared;
	}

	/** Warns of settings that no annotated lock reads: code may use their names. */
	void warnOfUnknown(Set<String> annotated) {
		Set<String> unknown = new TreeSet<>(this.locks.keySet());
		annotated.forEach((name) -> unknown.remove(LockEvent.group(name)));
		if (!unknown.isEmpty()) {
			logger.warn("idempotent.lock.locks has settings of " + unknown + ", but the annotated locks are "
					+ annotated
					+ ": correct the name (one with a dot needs brackets) or remove the settings, unless code gives "
					+ "the name to DistributedLocks or a LockTemplate");
		}
	}

	private void requireConsistent(String group, SingleLock own, LockOptions declared) {
		Duration most = first(own.holdAtMost(), declared.holdAtMost());
		Duration least = Objects.requireNonNullElse(own.holdAtLeast(), declared.holdAtLeast());
		if (own.engine() != null && !this.isEngine.test(own.engine())) {
			throw refused(group, "engine", own.engine(), "there is no lock engine of that name",
					"Name one of idempotent.lock.engines");
		}
		if (most != null && least.compareTo(most) > 0) {
			boolean mostIsSet = own.holdAtMost() != null;
			throw refused(group, mostIsSet ? "hold-at-most" : "hold-at-least", mostIsSet ? most : least,
					"the lock is held at least " + DurationText.of(least) + " and at most " + DurationText.of(most),
					"Let hold-at-least be no longer than hold-at-most");
		}
	}

	private static InvalidConfigurationException refused(String group, String setting, Object value, String reason,
			String action) {
		return new InvalidConfigurationException(SingleLock.property(group, setting),
				InvalidConfigurationException.text(value), reason, action);
	}

}
