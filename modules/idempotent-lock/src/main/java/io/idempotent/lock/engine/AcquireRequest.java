package io.idempotent.lock.engine;

import java.util.function.BooleanSupplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;

/**
 * A thread's request for a lock.
 *
 * @param name the lock
 * @param qualifiedName its name at the engine
 * @param options how the lock is held
 * @param defaults apply to what the options leave open
 * @param interruptible whether an interrupt ends the wait
 */
record AcquireRequest(String name, String qualifiedName, LockOptions options, LockDefaults defaults,
		boolean interruptible) {

	LockMode mode() {
		return this.options.mode();
	}

	/**
	 * The name of the queue in which threads of this JVM wait. Readers have one of their
	 * own. No lock has its name, since names contain no white space.
	 */
	String queueName() {
		return (mode() == LockMode.READ) ? this.name + " (readers)" : this.name;
	}

	/**
	 * The request to an engine.
	 * @param cancelled whether the grant is no longer wanted
	 */
	LockRequest toLockRequest(BooleanSupplier cancelled) {
		return new LockRequest(this.qualifiedName, mode(), this.defaults.lease(this.options), this.options.fair(),
				this.interruptible, cancelled);
	}

}
