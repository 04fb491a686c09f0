package io.idempotent.boot.lock;

import java.util.List;

import io.idempotent.lock.engine.LockEngine;

/**
 * Lets all nodes of an application switch between lock engines together. The module for
 * switching defines the bean.
 */
public interface LockSwitching {

	/**
	 * Whether an engine, one of those that locks use, keeps on its servers what the nodes
	 * agree on.
	 */
	boolean isAuthority(String engine, List<String> engines);

	/**
	 * Returns an engine around others, which are in order of preference, or the others if
	 * nodes do not switch.
	 * @param namePrefix the prefix of the name of each lock
	 */
	List<LockEngine> around(List<LockEngine> engines, String namePrefix);

}
