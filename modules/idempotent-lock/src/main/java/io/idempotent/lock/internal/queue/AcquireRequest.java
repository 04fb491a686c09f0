package io.idempotent.lock.internal.queue;

import java.time.Duration;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A thread's request for a lock.
 *
 * @param name the lock
 * @param options how the lock is held
 * @param holdAtMost the longest time for which it may be held, or {@code null}
 * @param toEngine the request to the engine
 */
public record AcquireRequest(String name, LockOptions options, @Nullable Duration holdAtMost, LockRequest toEngine) {

	public LockMode mode() {
		return this.options.mode();
	}

	boolean interruptible() {
		return this.toEngine.interruptible();
	}

	/**
	 * The name of the queue in which threads of this JVM wait. Readers have one of their
	 * own. No lock has its name, since names contain no white space.
	 */
	public String queueName() {
		return (mode() == LockMode.READ) ? this.name + " (readers)" : this.name;
	}

}
