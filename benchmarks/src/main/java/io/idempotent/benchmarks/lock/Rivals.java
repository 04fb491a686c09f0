package io.idempotent.benchmarks.lock;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;

/**
 * All the locks that stand on one kind of server, as one JVM sees them.
 */
interface Rivals extends AutoCloseable {

	/** The lease that the starter configures, and that everybody here is given. */
	Duration LEASE = Duration.ofSeconds(30);

	/**
	 * Who they are.
	 * @return ours first
	 */
	List<LockContender> contenders();

	@Override
	void close();

	/**
	 * Our locks as the starter configures them.
	 * @param engine the engine
	 * @return the locks
	 */
	static EngineDistributedLocks ours(LockEngine engine) {
		return new EngineDistributedLocks(List.of(engine), LEASE, List.of());
	}

	static Guard guard(DistributedLocks locks) {
		return Guard.of((name) -> locks.get(name, LockOptions.DEFAULTS));
	}

}
