package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.idempotent.boot.lock.LockProperties.SingleLock;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Applies {@code idempotent.lock.locks}. A failure names the property that cannot work.
 */
final class PropertiesLockSettings implements LockOptions.Settings {

	private static final Log logger = LogFactory.getLog(PropertiesLockSettings.class);

	private final Map<String, SingleLock> locks;

	private final Predicate<String> isEngine;

	PropertiesLockSettings(Map<String, SingleLock> locks, Predicate<String> isEngine) {
		this.locks = locks;
		this.isEngine = isEngine;
	}

	@Override
	public Duration waitTime(String name, Duration declared) {
		SingleLock own = this.locks.get(LockEvent.group(name));
		return (own != null && own.waitTime() != null) ? own.waitTime() : declared;
	}

	@Override
	public LockOptions options(String name, LockOptions declared) {
		SingleLock own = this.locks.get(LockEvent.group(name));
		if (own == null) {
			return declared;
		}
		requireConsistent(LockEvent.group(name), own, declared);
		LockOptions options = declared.withHoldAtLeast(Duration.ZERO);
		if (own.leaseTime() != null) {
			options = options.withLease(own.leaseTime());
		}
		if (own.holdAtMost() != null) {
			options = options.withHoldAtMost(own.holdAtMost());
		}
		if (own.engine() != null) {
			options = options.withEngine(own.engine());
		}
		if (own.fair() != null) {
			options = options.withFair(own.fair());
		}
		return options.withHoldAtLeast((own.holdAtLeast() != null) ? own.holdAtLeast() : declared.holdAtLeast());
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
		Duration most = (own.holdAtMost() != null) ? own.holdAtMost() : declared.holdAtMost();
		Duration least = (own.holdAtLeast() != null) ? own.holdAtLeast() : declared.holdAtLeast();
		if (own.engine() != null && !this.isEngine.test(own.engine())) {
			throw refused(group, "engine", own.engine(), "there is no lock engine of that name",
					"Name one of idempotent.lock.engines");
		}
		if (own.holdAtMost() != null && declared.renewal() == Renewal.FIXED) {
			throw refused(group, "hold-at-most", own.holdAtMost(),
					"the lock has a fixed lease, and is lost when that ends", "Set lease-time instead");
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
