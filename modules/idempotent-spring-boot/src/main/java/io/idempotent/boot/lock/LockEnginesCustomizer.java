package io.idempotent.boot.lock;

import java.util.List;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;

/**
 * Changes the lock engines of a node, such as by an engine around them.
 */
public interface LockEnginesCustomizer {

	/**
	 * Returns the engines that locks use.
	 * @param engines the engines that are configured, in order of preference
	 * @param namePrefix the prefix of the name of each lock
	 */
	List<LockEngine> customize(List<LockEngine> engines, String namePrefix);

	/**
	 * Whether it writes a {@link SharedEntry} of an engine.
	 * @param engines the names of those that are configured
	 */
	boolean writesEntryOf(String engine, List<String> engines);

}
