package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What the tests of lock engines have in common. */
abstract class LockTests {

	static final Duration LEASE = LockEngineContract.LEASE;

	static final Duration LONG_LEASE = Duration.ofMinutes(1);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LockEngineContract contract;

	LockTests(LockEngineContract contract) {
		this.contract = contract;
	}

	final LockEngineContract contract() {
		return this.contract;
	}

	final String name() {
		return this.contract.lockName();
	}

	final LockEngine engine() {
		return this.contract.engine;
	}

	final LockEngine otherEngine() {
		return this.contract.otherEngine;
	}

	final EngineDistributedLocks locks() {
		return this.contract.locks;
	}

	final EngineDistributedLocks locks(LockEngine engine) {
		return this.contract.locks(engine);
	}

	final EngineDistributedLocks otherLocks() {
		return this.contract.otherLocks;
	}

	final List<LockEvent.Type> events() {
		return this.contract.events();
	}

	final ExecutorService threads() {
		return this.contract.threads;
	}

	final LockRequest request(Duration lease) {
		return this.contract.request(lease);
	}

	final LockRequest readRequest(Duration lease) {
		return this.contract.request(lease).withMode(LockMode.READ);
	}

	/** Takes the lock of this test, which is free. */
	final LockGrant take(LockEngine node, Duration lease) throws InterruptedException {
		return require(node.acquire(request(lease), Duration.ZERO));
	}

	/** Takes the lock of this test for a reader, which is admitted. */
	final LockGrant read(LockEngine node, Duration lease) throws InterruptedException {
		return require(node.acquire(readRequest(lease), Duration.ZERO));
	}

	final void assertRefused(LockEngine node) throws InterruptedException {
		assertThat(node.acquire(request(LEASE), Duration.ZERO)).isNull();
	}

	final void assertReaderRefused(LockEngine node) throws InterruptedException {
		assertThat(node.acquire(readRequest(LEASE), Duration.ZERO)).isNull();
	}

	/** Waits for a lock on another thread. */
	final Future<@Nullable LockGrant> waiting(LockEngine node, LockRequest request) {
		return inBackground(() -> node.acquire(request, LockEngine.FOREVER));
	}

	final void assumeLeases() {
		assumeTrue(this.contract.leasesEndByThemselves(), "This engine has no leases that end by themselves");
	}

	final void assumeShared() {
		assumeTrue(engine().supports(LockMode.READ), "This engine has no shared locks");
	}

	/** Takes a lock in one of all ways. Returns whether it was obtained. */
	static boolean enter(DistributedLock lock, Random random) throws InterruptedException {
		switch (random.nextInt(4)) {
			case 0 -> lock.lock();
			case 1 -> lock.lockInterruptibly();
			case 2 -> {
				return lock.tryLock();
			}
			default -> {
				return lock.tryLock(20, TimeUnit.MILLISECONDS);
			}
		}
		return true;
	}

	/** Asserts that a condition becomes true, asked every 20 ms. */
	static void awaitUntil(String what, Callable<Boolean> condition) throws Exception {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.call()) {
			assertThat(end - System.nanoTime()).as("%s within %s", what, PATIENCE).isPositive();
			LockSupport.parkNanos(20_000_000);
		}
	}

	final <T extends @Nullable Object> Future<T> inBackground(Callable<T> task) {
		return this.contract.inBackground(task);
	}

	final void assertFree() throws InterruptedException {
		this.contract.assertFree();
	}

	static LockGrant require(@Nullable LockGrant grant) {
		return LockEngineContract.require(grant);
	}

}
