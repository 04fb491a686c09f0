package io.idempotent.lock.switching;

/**
 * Is notified when this node sees the end of a switch of engines, for metrics. Called by
 * one thread; must neither block nor throw.
 */
@FunctionalInterface
public interface SwitchListener {

	/** Ignores everything. */
	SwitchListener NONE = (result, target) -> {
	};

	/**
	 * A switch has ended.
	 * @param target the engine that the nodes switched to, or were to switch to
	 */
	void onSwitch(Result result, String target);

	/** How a switch ended. */
	enum Result {

		/** All nodes take locks on the other engine. */
		COMPLETED,

		/** It was called off: by an operator, or because nodes still held locks. */
		CALLED_OFF

	}

}
