package io.idempotent.lock.integration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;

import org.springframework.integration.support.locks.DistributedLock;

/** The lock of one key. A time to live is the lease, which is renewed as configured. */
record RegistryLock(DistributedLocks locks, String name, LockOptions options) implements DistributedLock {

	@Override
	public void lock() {
		lock(this.options).lock();
	}

	@Override
	public void lock(Duration ttl) {
		lock(this.options.withLease(ttl)).lock();
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		lock(this.options).lockInterruptibly();
	}

	@Override
	public boolean tryLock() {
		return lock(this.options).tryLock();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return lock(this.options).tryLock(time, unit);
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return lock(this.options.withLease(ttl)).tryLock(waitTime.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void unlock() {
		lock(this.options).unlock();
	}

	@Override
	public Condition newCondition() {
		return lock(this.options).newCondition();
	}

	private io.idempotent.lock.DistributedLock lock(LockOptions chosen) {
		return this.locks.get(this.name, chosen);
	}

}
