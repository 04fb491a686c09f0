package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.idempotent.boot.settings.NamedSettings;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ConcurrentLruCache;

/** Reads {@code idempotent.lock.locks}. A failure names the property that cannot work. */
final class PropertiesLockSettings implements LockOptions.Settings {

	static final List<String> SETTINGS = NamedSettings.settings(SingleLock.class);

	private static final int CACHED_LOCKS = 1000;

	private static final Duration SHORTEST = Duration.ofMillis(10);

	private static final Duration LONGEST = Duration.ofDays(365);

	private final NamedSettings<SingleLock> settings;

	private final boolean empty;

	private final Predicate<String> isEngine;

	private final ConcurrentLruCache<String, SingleLock> locks = new ConcurrentLruCache<>(CACHED_LOCKS, this::read);

	PropertiesLockSettings(ConfigurableEnvironment environment, Predicate<String> isEngine) {
		this.settings = new NamedSettings<>(environment, "idempotent.lock.locks", SingleLock.class);
		this.empty = this.settings.isEmpty();
		this.isEngine = isEngine;
	}

	@Override
	public Duration waitTime(String name, Duration declared) {
		Duration wait = of(name).waitTime();
		return (wait != null) ? wait : declared;
	}

	@Override
	public LockOptions options(String name, LockOptions declared) {
		SingleLock own = of(name);
		if (own.equals(SingleLock.NONE)) {
			return declared;
		}
		requireConsistent(group(name), own, declared);
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

	/** Finds settings that none of the annotated locks reads. */
	Set<String> unknown(Set<String> names) {
		return this.settings.unknown(names.stream().map(PropertiesLockSettings::group).collect(Collectors.toSet()));
	}

	/** How a setting of a lock is written. */
	String property(String name, String setting) {
		return this.settings.property(group(name), setting);
	}

	private SingleLock of(String name) {
		return this.empty ? SingleLock.NONE : this.locks.get(group(name));
	}

	private static String group(String name) {
		int end = name.indexOf(':');
		return (end < 0) ? name : name.substring(0, end);
	}

	private SingleLock read(String group) {
		SingleLock found = this.settings.of(group);
		if (found == null) {
			return SingleLock.NONE;
		}
		requireTime(group, "wait-time", found.waitTime(), Duration.ZERO, "0 to ask once, or a time such as 5s");
		requireTime(group, "lease-time", found.leaseTime(), SHORTEST, "a time such as 30s");
		requireTime(group, "hold-at-most", found.holdAtMost(), SHORTEST, "a time such as 10m");
		requireTime(group, "hold-at-least", found.holdAtLeast(), Duration.ZERO, "a time such as 1m");
		String engine = found.engine();
		if (engine != null && !this.isEngine.test(engine)) {
			throw this.settings.refused(group, "engine", engine, "there is no lock engine of that name",
					"Name one of idempotent.lock.engines");
		}
		return found;
	}

	private void requireTime(String group, String setting, @Nullable Duration time, Duration shortest, String action) {
		if (time != null && (time.compareTo(shortest) < 0 || time.compareTo(LONGEST) > 0)) {
			throw this.settings.refused(group, setting, time,
					"it must be between " + DurationText.of(shortest) + " and a year", "Give " + action);
		}
	}

	private void requireConsistent(String group, SingleLock own, LockOptions declared) {
		Duration most = (own.holdAtMost() != null) ? own.holdAtMost() : declared.holdAtMost();
		Duration least = (own.holdAtLeast() != null) ? own.holdAtLeast() : declared.holdAtLeast();
		if (own.holdAtMost() != null && declared.renewal() == Renewal.FIXED) {
			throw this.settings.refused(group, "hold-at-most", own.holdAtMost(),
					"the lock has a fixed lease, and is lost when that ends", "Set lease-time instead");
		}
		if (most != null && least.compareTo(most) > 0) {
			boolean mostIsSet = own.holdAtMost() != null;
			throw this.settings.refused(group, mostIsSet ? "hold-at-most" : "hold-at-least", mostIsSet ? most : least,
					"the lock is held at least " + DurationText.of(least) + " and at most " + DurationText.of(most),
					"Let hold-at-least be no longer than hold-at-most");
		}
	}

	/**
	 * Settings of a single lock, which take precedence over its annotation and over the
	 * options in the code.
	 *
	 * @param waitTime How long to wait for the lock.
	 * @param leaseTime How long the lock is valid without renewal.
	 * @param holdAtMost How long the lock is held at most.
	 * @param holdAtLeast How long the lock stays locked at least.
	 * @param engine Name of the lock engine.
	 * @param fair Whether waiting nodes get the lock in turn.
	 */
	record SingleLock(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Duration holdAtMost,
			@Nullable Duration holdAtLeast, @Nullable String engine, @Nullable Boolean fair) {

		/** A lock without settings. */
		static final SingleLock NONE = new SingleLock(null, null, null, null, null, null);

	}

}
