package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Waiting for a lock that is taken, with and without interrupts. */
abstract class LockWaitTests extends LockTests {

	LockWaitTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void wakesAWaitingNodeWhenTheLockIsReleased() throws Exception {
		LockGrant grant = take(engine(), Duration.ofMinutes(1));
		Future<@Nullable LockGrant> waiting = waiting(otherEngine(), request(LEASE));
		TimeUnit.MILLISECONDS.sleep(300);
		assertThat(waiting.isDone()).isFalse();
		grant.release(Duration.ZERO);
		assertThat(require(waiting.get(20, TimeUnit.SECONDS)).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void givesUpWaitingInTime() throws Exception {
		LockGrant grant = take(engine(), Duration.ofMinutes(1));
		long start = System.nanoTime();
		assertThat(otherEngine().acquire(request(LEASE), Duration.ofMillis(400))).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(380),
				Duration.ofSeconds(10));
		grant.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void servesWaitersWhetherFairOrNot() throws Exception {
		for (boolean fair : new boolean[] { true, false }) {
			LockRequest request = new LockRequest(name() + fair, LEASE, fair);
			LockGrant grant = require(engine().acquire(request, Duration.ZERO));
			Future<@Nullable LockGrant> waiting = inBackground(
					() -> otherEngine().acquire(request, Duration.ofSeconds(30)));
			TimeUnit.MILLISECONDS.sleep(200);
			grant.release(Duration.ZERO);
			require(waiting.get(30, TimeUnit.SECONDS)).release(Duration.ZERO);
		}
	}

	@Test
	void holdsNothingAfterAnInterruptedWait() throws Exception {
		LockGrant grant = take(engine(), Duration.ofMinutes(1));
		CompletableFuture<Thread> waiter = new CompletableFuture<>();
		Future<@Nullable LockGrant> waiting = inBackground(() -> {
			waiter.complete(Thread.currentThread());
			return otherEngine().acquire(request(LEASE), LockEngine.FOREVER);
		});
		Thread thread = waiter.get(20, TimeUnit.SECONDS);
		TimeUnit.MILLISECONDS.sleep(300);
		thread.interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
		grant.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void waitsThroughInterruptsInItsTurn() throws Exception {
		// Connects, which may take longer than the head start of the first waiter.
		take(otherEngine(), LEASE).release(Duration.ZERO);
		LockRequest request = new LockRequest(name(), Duration.ofMinutes(1), true).uninterruptible();
		LockGrant grant = require(engine().acquire(request, Duration.ZERO));
		List<String> served = new CopyOnWriteArrayList<>();
		CompletableFuture<Thread> waiter = new CompletableFuture<>();
		Future<Boolean> first = inBackground(() -> {
			waiter.complete(Thread.currentThread());
			serve("first", otherEngine(), request, served);
			return Thread.interrupted();
		});
		Thread thread = waiter.get(20, TimeUnit.SECONDS);
		TimeUnit.MILLISECONDS.sleep(300);
		Future<Void> second = inBackground(() -> serve("second", engine(), request, served));
		TimeUnit.MILLISECONDS.sleep(300);
		for (int i = 0; i < 50; i++) {
			thread.interrupt();
			LockSupport.parkNanos(1_000_000);
		}
		assertThat(served).isEmpty();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(first.get(30, TimeUnit.SECONDS)).as("left interrupted").isTrue();
		second.get(30, TimeUnit.SECONDS);
		assertThat(served).containsExactlyInAnyOrder("first", "second");
		if (contract().takesTurns()) {
			assertThat(served).containsExactly("first", "second");
		}
	}

	@Test
	void endsTheWaitForACancelledRequest() throws Exception {
		LockGrant grant = take(engine(), Duration.ofMinutes(1));
		assertThat(cancelledWait(false)).as("left interrupted").isFalse();
		grant.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void keepsAnInterruptThatComesWithACancellation() throws Exception {
		LockGrant grant = take(engine(), Duration.ofMinutes(1));
		for (int i = 0; i < 5; i++) {
			assertThat(cancelledWait(true)).as("left interrupted").isTrue();
		}
		grant.release(Duration.ZERO);
		assertFree();
	}

	/** Returns whether the thread whose request was cancelled is interrupted. */
	private boolean cancelledWait(boolean interrupt) throws Exception {
		AtomicBoolean cancelled = new AtomicBoolean();
		LockRequest request = new LockRequest(name(), LEASE, false).uninterruptible().until(cancelled::get);
		AtomicBoolean interruptSent = new AtomicBoolean(!interrupt);
		CompletableFuture<Thread> waiter = new CompletableFuture<>();
		Future<Boolean> waiting = inBackground(() -> {
			waiter.complete(Thread.currentThread());
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> otherEngine().acquire(request, LockEngine.FOREVER));
			// The cancellation may be noticed before the interrupt arrives.
			while (!interruptSent.get()) {
				Thread.onSpinWait();
			}
			return Thread.interrupted();
		});
		Thread thread = waiter.get(20, TimeUnit.SECONDS);
		TimeUnit.MILLISECONDS.sleep(200);
		cancelled.set(true);
		if (interrupt) {
			thread.interrupt();
			interruptSent.set(true);
		}
		return waiting.get(20, TimeUnit.SECONDS);
	}

	private static @Nullable Void serve(String name, LockEngine node, LockRequest request, List<String> served)
			throws InterruptedException {
		LockGrant grant = require(node.acquire(request, LockEngine.FOREVER));
		served.add(name);
		grant.release(Duration.ZERO);
		return null;
	}

	@Test
	void takesAFreeLockWithOneAttemptDespiteInterrupts() throws Exception {
		CountedEngine counted = new CountedEngine(engine());
		AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
		Future<Integer> locking = inBackground(() -> {
			holder.set(Thread.currentThread());
			try (EngineDistributedLocks locks = locks(counted)) {
				return lockAndUnlock(locks.get(name()), 20);
			}
		});
		while (!locking.isDone()) {
			Thread thread = holder.get();
			if (thread != null) {
				thread.interrupt();
			}
			LockSupport.parkNanos(1_000_000);
		}
		assertThat(locking.get()).isEqualTo(20);
		assertThat(counted.acquires()).hasValue(20);
	}

	private static int lockAndUnlock(DistributedLock lock, int times) {
		for (int i = 0; i < times; i++) {
			lock.lock();
			lock.unlock();
		}
		return times;
	}

	@Test
	void acquiresNothingWhenInterruptedBefore() throws Exception {
		Thread.currentThread().interrupt();
		assertThatThrownBy(() -> engine().acquire(request(LEASE), Duration.ZERO))
			.isInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isFalse();
		assertFree();
	}

	@Test
	void releasesAndRenewsOnAnInterruptedThread() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		Thread.currentThread().interrupt();
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(Thread.interrupted()).isTrue();
		assertFree();
	}

	private record CountedEngine(LockEngine engine, AtomicInteger acquires) implements LockEngine {

		CountedEngine(LockEngine engine) {
			this(engine, new AtomicInteger());
		}

		@Override
		public String name() {
			return this.engine.name();
		}

		@Override
		public boolean supports(LockMode mode) {
			return this.engine.supports(mode);
		}

		@Override
		public boolean queuesWaiters() {
			return this.engine.queuesWaiters();
		}

		@Override
		public void observe(ConnectionObserver observer) {
			this.engine.observe(observer);
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			this.acquires.incrementAndGet();
			return this.engine.acquire(request, wait);
		}

	}

}
