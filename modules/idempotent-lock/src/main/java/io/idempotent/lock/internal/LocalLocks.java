package io.idempotent.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.administration.HeldLockInfo;
import io.idempotent.lock.administration.WaitingThread;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.acquire.ThreadLocks;
import io.idempotent.lock.internal.hold.EngineSelection;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.LeaseMonitor;
import io.idempotent.lock.internal.queue.AcquireRequest;
import io.idempotent.lock.internal.queue.QueuedThread;

/**
 * The locks that threads of this JVM hold and wait for, as operators see them. Collected
 * on request, from existing state.
 *
 * @param engines know the locks that are held
 * @param locks know the threads that wait
 */
record LocalLocks(EngineSelection engines, ThreadLocks locks) {

	/**
	 * The locks that are held.
	 * @return the locks, the oldest first
	 */
	List<HeldLockInfo> held() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		// All at one time: comparisons of running times would be inconsistent.
		Comparator<HeldLock> youngestFirst = Comparator.comparingLong((held) -> held.nanosHeldAt(nanos));
		return this.engines.monitors()
			.flatMap(LeaseMonitor::held)
			.flatMap((held) -> Stream.concat(Stream.of(held), Stream.ofNullable(held.dependent())))
			.sorted(youngestFirst.reversed())
			.map((held) -> info(held, now, nanos))
			.toList();
	}

	/**
	 * The threads that wait.
	 * @return the threads, those that have waited longest first
	 */
	List<WaitingThread> waiting() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		return this.locks.waiting()
			.stream()
			.map((waiter) -> info(waiter, now.minusNanos(nanos - waiter.since())))
			.sorted(Comparator.comparing(WaitingThread::since))
			.toList();
	}

	/**
	 * Checks at once whether the engine still knows the grants of a lock. Unknown grants
	 * are lost, and their holders are notified.
	 * @param name the lock
	 * @param engine the engine
	 */
	void check(String name, LockEngine engine) {
		LeaseMonitor monitor = this.engines.monitor(engine);
		monitor.held().filter((held) -> held.name().equals(name)).toList().forEach(monitor::check);
	}

	private static HeldLockInfo info(HeldLock held, Instant now, long nanos) {
		Long left = held.lease().nanosLeft(nanos);
		return new HeldLockInfo(held.name(), held.engine().name(), held.mode(), nameOf(held.state().thread()),
				now.minusNanos(held.nanosHeldAt(nanos)), (left != null) ? Duration.ofNanos(left) : null,
				(held.mode() == LockMode.WRITE) ? held.token() : null, held.isValid());
	}

	private WaitingThread info(QueuedThread waiter, Instant since) {
		AcquireRequest request = waiter.request();
		return new WaitingThread(request.name(), this.engines.engine(request.options()).name(), request.mode(),
				nameOf(waiter.thread()), since);
	}

	/** A virtual thread has no name by default. */
	private static String nameOf(Thread thread) {
		return thread.getName().isEmpty() ? "thread-" + thread.getId() : thread.getName();
	}

}
