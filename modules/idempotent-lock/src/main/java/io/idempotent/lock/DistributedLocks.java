package io.idempotent.lock;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Hands out locks by name, and is the switch between engines. Safe for use by many
 * threads.
 *
 * <p>
 * A name has 1 to 255 characters, none of them white space, a control character or half
 * of a surrogate pair, and a brace only as part of a {@code {hash tag}}. It belongs to
 * this application: engines know it behind the application's namespace, which counts
 * among the characters, unless that is switched off. Otherwise they use it as it is, so
 * it must not be a client's raw input. What stands before its first colon is its group,
 * by which events are counted.
 *
 * <p>
 * <b>Switching is a decision of this node alone.</b> Nodes that use different engines at
 * the same time do not exclude each other, and locks that are held stay where they were
 * obtained: switch only while what the locks protect can bear that, or is fenced.
 */
public interface DistributedLocks {

	/**
	 * A lock with the configured options, on the engine now in use.
	 * @param name what is locked
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if this is no name
	 */
	default DistributedLock get(String name) {
		return get(name, LockOptions.DEFAULTS);
	}

	/**
	 * A lock.
	 * @param name what is locked
	 * @param options how it is held; those of the outermost hold count
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if this is no name, or there is no such engine
	 */
	DistributedLock get(String name, LockOptions options);

	/**
	 * Several locks as one, with the configured options.
	 * @param names what is locked; a repeated name counts once
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if there is no name or one that is none
	 */
	default MultiLock all(String... names) {
		return all(List.of(names), LockOptions.DEFAULTS);
	}

	/**
	 * Several locks as one.
	 * @param names what is locked; a repeated name counts once
	 * @param options how each is held
	 * @return a handle; nothing is locked yet
	 * @throws IllegalArgumentException if there is no name or one that is none, or there
	 * is no such engine
	 */
	MultiLock all(Collection<String> names, LockOptions options);

	/**
	 * The lock that the current thread has taken last and not given back: the way to
	 * token and lease from inside a method that is {@link DistributedLocked}.
	 * @return the innermost lock, lost or not; empty if the thread is in no section
	 */
	Optional<DistributedLock> current();

	/**
	 * All locks that the current thread has taken and not given back.
	 * @return the locks, the innermost last
	 */
	List<DistributedLock> held();

	/**
	 * The engine that new locks are taken on.
	 * @return its name
	 */
	String currentEngine();

	/**
	 * The engines to choose from.
	 * @return their names, in order of preference
	 */
	List<String> engines();

	/**
	 * Moves on to the next engine in the configured order, after the last to the first.
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
