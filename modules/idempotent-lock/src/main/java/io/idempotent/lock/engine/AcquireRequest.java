package io.idempotent.lock.engine;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.EngineSwitch.Choice;

/**
 * What a thread wants of a lock.
 *
 * @param name the lock
 * @param qualifiedName how the engine calls it
 * @param options how it is held
 * @param terms what the options leave open
 * @param interruptible whether an interrupt ends the wait
 */
record AcquireRequest(String name, String qualifiedName, LockOptions options, LockDefaults terms,
		boolean interruptible) {

	LockRequest request(Choice choice) {
		return new LockRequest(this.qualifiedName, this.terms.lease(this.options), this.options.fair(), choice.epoch(),
				this.interruptible);
	}

}
