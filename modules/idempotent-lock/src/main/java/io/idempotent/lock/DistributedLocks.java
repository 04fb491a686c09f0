package io.idempotent.lock;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Creates locks by name. Safe for use by many threads.
 *
 * <p>
 * A name has 1 to 255 characters. It contains no white space, no control characters and
 * no unpaired surrogates, and braces only as part of a {@code {hash tag}}. At the
 * engines, the namespace of the application is its prefix and counts among the
 * characters, unless that is switched off. Engines use the name as it is, so that it must
 * not be raw input of a client. The part before the first colon is the group of the lock,
 * by which events are counted.
 */
public interface DistributedLocks {

	/**
	 * A handle to a lock with the configured options, on the engine in force; nothing is
	 * locked yet.
	 * @throws IllegalArgumentException if the name is not valid
	 */
	default DistributedLock get(String name) {
		return get(name, LockOptions.DEFAULTS);
	}

	/**
	 * A handle to a lock; nothing is locked yet.
	 * @param options how it is held; on re-entry those of the first entry apply
	 * @throws IllegalArgumentException if the name is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if the mode is {@link LockMode#READ} and the
	 * engine has no shared locks
	 */
	DistributedLock get(String name, LockOptions options);

	/**
	 * Handles for readers and writers, with the configured options, on the engine in
	 * force; nothing is locked yet.
	 * @throws IllegalArgumentException if the name is not valid
	 * @throws UnsupportedOperationException if the engine has no shared locks
	 */
	default DistributedReadWriteLock readWrite(String name) {
		return readWrite(name, LockOptions.DEFAULTS);
	}

	/**
	 * Handles for readers and writers; nothing is locked yet. The read lock is also that
	 * of {@link #get(String, LockOptions)} with {@link LockOptions#withMode mode}
	 * {@code READ}, the write lock that with mode {@code WRITE}.
	 * @param options how both are held, whatever mode they have
	 * @throws IllegalArgumentException if the name is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if the engine has no shared locks
	 */
	DistributedReadWriteLock readWrite(String name, LockOptions options);

	/**
	 * A handle to several locks as one, with the configured options; nothing is locked
	 * yet. A repeated name counts once.
	 * @throws IllegalArgumentException if there is no name or a name is not valid
	 */
	default MultiLock all(String... names) {
		return all(List.of(names), LockOptions.DEFAULTS);
	}

	/**
	 * A handle to several locks as one; nothing is locked yet. A repeated name counts
	 * once.
	 * @param options how each is held
	 * @throws IllegalArgumentException if there is no name, a name is not valid, or there
	 * is no such engine
	 */
	MultiLock all(Collection<String> names, LockOptions options);

	/**
	 * The lock, lost or not, that the current thread has acquired last and not released;
	 * empty if there is none. It gives access to token and lease in a method that is
	 * {@link DistributedLocked}.
	 */
	Optional<DistributedLock> current();

	/**
	 * Asserts that the current thread holds a lock, for code that must not run without
	 * it. This detects calls that bypass the proxy, such as a call of an annotated method
	 * by another method of the same object.
	 * @param name the name of the lock, or the part of its name before the values of its
	 * keys: the name of the annotation
	 * @return the lock, the innermost one if there are several
	 * @throws IllegalMonitorStateException if the current thread does not hold it; a
	 * {@link LockLostException} if it has lost it, or one of several, by the clock of
	 * this JVM
	 */
	default DistributedLock requireHeld(String name) {
		List<DistributedLock> held = held().stream()
			.filter((lock) -> lock.name().equals(name) || lock.name().startsWith(name + ":"))
			.toList();
		if (held.isEmpty()) {
			throw new IllegalMonitorStateException("This code must run under the lock '" + name
					+ "', which the current thread does not hold. Call a method with @DistributedLocked through its "
					+ "bean, on the same thread: a call from one method of an object to another locks nothing");
		}
		held.stream().filter((lock) -> !lock.isValid()).findFirst().ifPresent((lost) -> {
			throw new LockLostException(lost.name(), "This code must run under the lock '" + lost.name()
					+ "', which the current thread has lost: another thread or node may hold it");
		});
		return held.get(held.size() - 1);
	}

	/** All locks that the current thread has not released, the innermost last. */
	List<DistributedLock> held();

	/**
	 * The engine in force, as far as this node knows: that of new locks whose options
	 * name none. It is the first of {@link #engines()}, unless the nodes switch.
	 */
	String engineInForce();

	/**
	 * The engine of a lock with these options: the one that its settings or its options
	 * name, or else the engine in force.
	 */
	String engineOf(String name, LockOptions options);

	/** The names of the engines to choose from, in order of preference. */
	List<String> engines();

}
