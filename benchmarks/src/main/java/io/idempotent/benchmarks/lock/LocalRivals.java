package io.idempotent.benchmarks.lock;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.benchmarks.lock.LockContender.Role;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;

/**
 * Locks in memory.
 */
final class LocalRivals implements Rivals {

	private final EngineDistributedLocks ours = Rivals.ours(new LocalLockEngine());

	private final ConcurrentMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, ReentrantLock> fairLocks = new ConcurrentHashMap<>();

	@Override
	public List<LockContender> contenders() {
		return List.of(new LockContender("this library, local", Role.OURS, Rivals.guard(this.ours)),
				new LockContender("JDK ReentrantLock", Role.BESIDE,
						Guard.of((name) -> this.locks.computeIfAbsent(name, (key) -> new ReentrantLock()))),
				new LockContender("JDK ReentrantLock, fair", Role.BESIDE,
						Guard.of((name) -> this.fairLocks.computeIfAbsent(name, (key) -> new ReentrantLock(true)))));
	}

	@Override
	public void close() {
		this.ours.close();
	}

}
