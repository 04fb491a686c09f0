package io.idempotent.lock.switching;

import java.util.Set;

/**
 * The health of the engines as this node sees it, from which the nodes decide together
 * whether to switch. Its methods return at once.
 */
public interface EngineHealth {

	/** Knows nothing, so that this node never proposes a switch. */
	EngineHealth UNKNOWN = new EngineHealth() {
	};

	/** The names of the engines that fail. */
	default Set<String> failing() {
		return Set.of();
	}

	/** The engines that have worked for a while, so that they may be switched back to. */
	default Set<String> recovered() {
		return Set.of();
	}

}
