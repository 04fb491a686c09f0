package io.idempotent.lock;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Creates locks by name, and switches between engines. Safe for use by many threads.
 *
 * <p>
 * A name has 1 to 255 characters. It contains no white space, no control characters and
 * no unpaired surrogates, and braces only as part of a {@code {hash tag}}. At the
 * engines, the namespace of the application is its prefix and counts among the
 * characters, unless that is switched off. Engines use the name as it is, so that it must
 * not be raw input of a client. The part before the first colon is the group of the lock,
 * by which events are counted.
 *
 * <p>
 * <b>A switch applies to this node alone.</b> Nodes that use different engines at the
 * same time do not exclude each other, and a lock that is held stays on the engine that
 * granted it. So switch only if the protected resource tolerates two holders for a
 * moment, or is fenced.
 */
public interface DistributedLocks {

	/**
	 * A lock with the configured options, on the engine now in use.
	 * @param name the name of the lock
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if the name is not valid
	 */
	default DistributedLock get(String name) {
		return get(name, LockOptions.DEFAULTS);
	}

	/**
	 * A lock.
	 * @param name the name of the lock
	 * @param options how it is held; on re-entry those of the first entry apply
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if the name is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if the mode is {@link LockMode#READ} and the
	 * engine has no shared locks
	 */
	DistributedLock get(String name, LockOptions options);

	/**
	 * A lock for readers and writers, with the configured options, on the engine now in
	 * use.
	 * @param name the name of the lock
	 * @return two handles; nothing is locked yet
	 * @throws IllegalArgumentException if the name is not valid
	 * @throws UnsupportedOperationException if the engine has no shared locks
	 */
	default DistributedReadWriteLock readWrite(String name) {
		return readWrite(name, LockOptions.DEFAULTS);
	}

	/**
	 * A lock for readers and writers. Its read lock is also that of
	 * {@link #get(String, LockOptions)} with {@link LockOptions#withMode mode}
	 * {@code READ}, its write lock that with mode {@code WRITE}.
	 * @param name the name of the lock
	 * @param options how both are held, whatever mode they have
	 * @return two handles; nothing is locked yet
	 * @throws IllegalArgumentException if the name is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if the engine has no shared locks
	 */
	DistributedReadWriteLock readWrite(String name, LockOptions options);

	/**
	 * Several locks as one, with the configured options.
	 * @param names the names of the locks; a repeated name counts once
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if there is no name or a name is not valid
	 */
	default MultiLock all(String... names) {
		return all(List.of(names), LockOptions.DEFAULTS);
	}

	/**
	 * Several locks as one.
	 * @param names the names of the locks; a repeated name counts once
	 * @param options how each is held
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if there is no name, a name is not valid, or there
	 * is no such engine
	 */
	MultiLock all(Collection<String> names, LockOptions options);

	/**
	 * The lock that the current thread has acquired last and not released. It gives
	 * access to token and lease in a method that is {@link DistributedLocked}.
	 * @return the innermost lock, lost or not; empty if the thread has none
	 */
	Optional<DistributedLock> current();

	/**
	 * All locks that the current thread has acquired and not released.
	 * @return the locks, the innermost last
	 */
	List<DistributedLock> held();

	/**
	 * The engine on which new locks are acquired.
	 * @return its name
	 */
	String currentEngine();

	/**
	 * The engines to choose from.
	 * @return their names, in order of preference
	 */
	List<String> engines();

	/**
	 * Switches to the next engine in the configured order, from the last to the first.
	 * @return the name of the engine now in use
	 */
	String switchEngine();

	/**
	 * Switches to an engine.
	 * @param engine its name
	 * @return the name of the engine now in use
	 * @throws IllegalArgumentException if there is no such engine; nothing is switched
	 */
	String switchEngine(String engine);

}
