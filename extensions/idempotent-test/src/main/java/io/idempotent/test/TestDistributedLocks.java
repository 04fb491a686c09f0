package io.idempotent.test;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;

/** Locks for unit tests without a Spring context. */
public final class TestDistributedLocks {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private TestDistributedLocks() {
	}

	/**
	 * Creates locks in memory, which exclude the threads that use this object. Starts no
	 * thread before a lock is held with a limit.
	 */
	public static DistributedLocks inMemory() {
		return new EngineDistributedLocks(List.of(new LocalLockEngine()), LEASE, List.of());
	}

}
