package io.idempotent.lock.internal.queue;

import io.idempotent.lock.engine.LockEngine;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of this JVM may do when it leaves the {@link LocalLockQueue} of a lock.
 */
public sealed interface Turn {

	/**
	 * The thread asks the engine.
	 *
	 * @param first the engine in whose queue it waits while another thread of this JVM
	 * holds the lock, or {@code null}. It asks that engine first, so that the two exclude
	 * each other even if their options name different engines
	 */
	record Ask(@Nullable LockEngine first) implements Turn {
	}

	/**
	 * The holder has handed the lock over, so that the thread need not ask.
	 *
	 * @param granted what the engine has granted in place of the holder's grant
	 */
	record HandedOver(EngineGrant granted) implements Turn {
	}

	/** The thread gets nothing, since the locks are closed. */
	record Closed() implements Turn {
	}

}
