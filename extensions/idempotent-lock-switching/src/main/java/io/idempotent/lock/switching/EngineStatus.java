package io.idempotent.lock.switching;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The lock engine that the nodes of an application use, and the progress of a switch to
 * another one.
 *
 * @param engine the engine in force
 * @param epoch the number of the epoch, which grows with each switch; 0 if this node has
 * not asked yet
 * @param target the engine that the nodes are switching to, or {@code null}; the engine
 * in force itself if the authority has no entry or has lost one, and locks are granted
 * after 1.1 times the lease
 * @param waitingFor the nodes that have not confirmed the switch, with the number of
 * locks that each of them last reported
 */
public record EngineStatus(String engine, long epoch, @Nullable String target, List<String> waitingFor) {

	/** Copies the list. */
	public EngineStatus {
		waitingFor = List.copyOf(waitingFor);
	}

	/** Whether a switch is in progress, during which no locks are granted. */
	public boolean isSwitching() {
		return this.target != null;
	}

}
