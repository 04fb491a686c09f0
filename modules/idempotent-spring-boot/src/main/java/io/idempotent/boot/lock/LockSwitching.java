package io.idempotent.boot.lock;

import java.util.List;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SwitchableEngine;

/**
 * Lets all nodes of an application switch between lock engines together. The module for
 * switching defines the bean, if switching is enabled.
 */
public interface LockSwitching {

	/** The name of the entry that the authority keeps, below the prefix of lock names. */
	String ENTRY = "idempotent-epoch";

	/**
	 * Returns the name of the engine, one of those that locks use, whose servers keep
	 * what the nodes agree on.
	 */
	String authority(List<String> engines);

	/**
	 * Creates an engine around others, which are in order of preference. Does not contact
	 * the authority yet.
	 */
	SwitchableEngine around(List<LockEngine> engines, String namePrefix);

}
