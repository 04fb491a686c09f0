package io.idempotent.boot.lock;

import java.util.List;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;

/**
 * Changes the lock engines of a node, such as by an engine around them. The module of a
 * customizer lists the properties that enable it in {@code META-INF/spring}, in a file
 * named after this class: they fail the start if there is no such bean.
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
