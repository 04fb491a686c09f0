package io.idempotent.boot.lock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Properties of a single lock, which take precedence over its annotation and over the
 * options in the code.
 *
 * @param waitTime How long to wait for the lock.
 * @param leaseTime How long the lock is valid without renewal.
 * @param holdAtMost How long the lock is held at most.
 * @param holdAtLeast How long the lock stays locked at least.
 * @param engine Name of the lock engine.
 * @param fair Whether waiting nodes get the lock in turn.
 */
record SingleLockProperties(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Duration holdAtMost,
		@Nullable Duration holdAtLeast, @Nullable String engine, @Nullable Boolean fair) {

	/** A lock without properties. */
	static final SingleLockProperties NONE = new SingleLockProperties(null, null, null, null, null, null);

}
