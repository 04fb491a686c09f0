package io.idempotent.lock.engine;

import java.util.List;

import io.idempotent.lock.EngineStatus;
import org.jspecify.annotations.Nullable;

/**
 * An engine around engines, of which one is in force on all nodes at a time. It passes
 * requests on to that one, and its {@link #name()} is the name of that one as far as this
 * node knows. Its grants are valid no longer than the one in force is.
 */
public interface SwitchableEngine extends LockEngine {

	/**
	 * The engines that locks may name, in order of preference, also those that are never
	 * in force. A lock that names one is not switched.
	 */
	List<LockEngine> engines();

	/** What the nodes have agreed on, as this node has read it last. */
	EngineStatus status();

	/**
	 * Lets all nodes switch to one of the {@link #engines()}, and waits until they have.
	 * @param engine its name; {@code null} for the next one, after the last the first
	 * @return the name of the engine now in force
	 * @see io.idempotent.lock.DistributedLocks#switchEngine(String)
	 */
	String switchTo(@Nullable String engine);

	/**
	 * Calls off the switch in progress; returns whether this call has done so.
	 * @see io.idempotent.lock.DistributedLocks#cancelSwitch()
	 */
	boolean cancelSwitch();

	/** Ends the contact to the other nodes. The {@link #engines()} stay open. */
	@Override
	void close();

}
