package io.idempotent.lock.engine;

import java.time.Duration;
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

	@Override
	default @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		return acquire(request, wait, List.of());
	}

	/**
	 * Acquires a lock for a thread that holds others: a switch waits for those, so that
	 * the thread does not wait for that switch.
	 * @param wait how long to wait for a holder, and for a switch
	 * @param held the valid grants of the thread, of any engine
	 * @return the grant, or {@code null} if the lock was not free in time
	 * @throws InterruptedException as {@link LockEngine#acquire(LockRequest, Duration)}
	 */
	@Nullable LockGrant acquire(LockRequest request, Duration wait, List<LockGrant> held) throws InterruptedException;

	/** Which of the {@link #engines()} has made a grant of this engine. */
	LockEngine engineOf(LockGrant grant);

	/** The names of the engines that may be in force, in order of preference. */
	List<String> targets();

	/** What the nodes have agreed on, as this node has read it last. */
	EngineStatus status();

	/**
	 * Lets all nodes switch to one of the {@link #targets()}, and waits until they have.
	 * @see io.idempotent.lock.DistributedLocks#switchEngine(String)
	 */
	void switchTo(String engine);

	/**
	 * Calls off the switch in progress; returns whether this call has done so.
	 * @see io.idempotent.lock.DistributedLocks#cancelSwitch()
	 */
	boolean cancelSwitch();

	/** Ends the contact to the other nodes. The {@link #engines()} stay open. */
	@Override
	void close();

}
