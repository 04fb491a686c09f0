package io.idempotent.lock.integration;

import java.time.Duration;
import java.util.regex.Pattern;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration on {@link DistributedLocks}: for leader election
 * by {@code LockRegistryLeaderInitiator}, aggregators, resequencers and
 * {@link #executeLocked}. Safe for use by many threads.
 *
 * <p>
 * The lock of a key is {@code prefix:key}. A key may contain input of a client, so only a
 * short plain key is part of the name as it is; any other is replaced by its digest.
 *
 * <p>
 * Locks keep the promises of {@link io.idempotent.lock.DistributedLock}: they are
 * re-entrant, the lease is renewed in the background as configured, and {@code unlock}
 * throws {@link LockLostException}, an {@link IllegalMonitorStateException}, if the lock
 * was lost meanwhile. No scheduler for renewals is needed. The registry keeps nothing for
 * a key, so that no unused locks need to expire.
 */
public final class DistributedLockRegistry implements RenewableLockRegistry<DistributedLock> {

	/** The first part of the names of all locks, unless another one is chosen. */
	public static final String DEFAULT_PREFIX = "integration";

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private final DistributedLocks locks;

	private final String prefix;

	private final LockOptions options;

	/** Creates a registry of locks with the configured options. */
	public DistributedLockRegistry(DistributedLocks locks) {
		this(locks, DEFAULT_PREFIX, LockOptions.DEFAULTS);
	}

	/** Creates a registry of locks whose names begin with the prefix and a colon. */
	public DistributedLockRegistry(DistributedLocks locks, String prefix, LockOptions options) {
		this.locks = locks;
		this.prefix = prefix;
		this.options = options;
	}

	/**
	 * The lock of a key.
	 * @param lockKey a text, a number or another simple value; values with the same text
	 * have the same lock
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if the key is not a simple value
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return new RegistryLock(this.locks, name(lockKey), this.options);
	}

	/**
	 * Checks that the current thread holds the lock of a key, and extends it by the lease
	 * of the options of this registry, if they have one. Without that, the lease is
	 * renewed in the background as long as the lock is held.
	 * @throws IllegalStateException if the current thread does not hold the lock, or has
	 * lost it
	 */
	@Override
	public void renewLock(Object lockKey) {
		Duration lease = this.options.lease();
		if (lease != null) {
			renewLock(lockKey, lease);
		}
		else if (!lock(lockKey).isValid()) {
			throw notHeld(lockKey, null);
		}
	}

	/**
	 * Extends the hold of a lock, see {@link io.idempotent.lock.DistributedLock#extend}.
	 * A hold without a limit is not shortened.
	 * @param ttl for how long the lock is held at least, from now on
	 * @throws IllegalStateException if the current thread does not hold the lock, or has
	 * lost it
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		try {
			lock(lockKey).extend(ttl);
		}
		catch (IllegalMonitorStateException ex) {
			throw notHeld(lockKey, ex);
		}
	}

	private io.idempotent.lock.DistributedLock lock(Object lockKey) {
		return this.locks.get(name(lockKey), this.options);
	}

	private IllegalStateException notHeld(Object lockKey, @Nullable IllegalMonitorStateException cause) {
		return new IllegalStateException("The lock '" + name(lockKey)
				+ "' cannot be renewed: the current thread does not hold it, or has lost it", cause);
	}

	private String name(Object lockKey) {
		if (!BeanUtils.isSimpleValueType(lockKey.getClass())) {
			throw new IllegalArgumentException("The lock key is a " + lockKey.getClass().getName()
					+ ", which does not identify anything: use a text, a number or another simple value");
		}
		String text = (lockKey instanceof Enum<?> constant) ? constant.name() : lockKey.toString();
		return this.prefix + ":"
				+ (PLAIN.matcher(text).matches() ? text : "#" + Digest.sha256().add(text).build().encoded());
	}

}
