package io.idempotent.lock.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.administration.HeldLockInfo;
import io.idempotent.lock.administration.WaitingThread;
import io.idempotent.lock.engine.LocalLockQueue.Waiting;

/**
 * The locks that threads of this JVM hold and wait for, as operators see them. Collected
 * when it is asked for, from what locks keep anyway.
 *
 * @param queues know exclusive locks, and threads that wait
 * @param engines know the engine of each lock
 * @param monitors know shared locks
 */
record LocalLocks(LocalLockQueues queues, EngineSelection engines, List<LeaseMonitor> monitors) {

	/**
	 * The locks that are held.
	 * @return the locks, the oldest first
	 */
	List<HeldLockInfo> held() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		// All at one time: a comparison of times that go on is not consistent.
		Comparator<HeldLock> youngestFirst = Comparator.comparingLong((held) -> held.nanosHeldAt(nanos));
		return all().sorted(youngestFirst.reversed()).map((held) -> info(held, now, nanos)).toList();
	}

	/**
	 * The threads that wait.
	 * @return the threads, those that have waited longest first
	 */
	List<WaitingThread> waiting() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		return this.queues.all()
			.stream()
			.flatMap((queue) -> queue.waiting().stream())
			.map((waiting) -> info(waiting, now.minusNanos(nanos - waiting.since())))
			.sorted(Comparator.comparing(WaitingThread::since))
			.toList();
	}

	/**
	 * Asks the engine at once whether it still knows the grants of a lock. Those that it
	 * does not know are lost, and their holders are notified.
	 * @param name the lock
	 * @param engine the engine
	 */
	void check(String name, LockEngine engine) {
		LeaseMonitor monitor = this.engines.monitor(engine);
		all().filter((held) -> held.name().equals(name) && held.engine() == engine && held.writer() == null)
			.toList()
			.forEach(monitor::check);
	}

	private Stream<HeldLock> all() {
		Stream<HeldLock> exclusive = this.queues.all()
			.stream()
			.flatMap((queue) -> Stream.ofNullable(queue.holder()))
			.flatMap((writer) -> Stream.concat(Stream.of(writer), Stream.ofNullable(writer.reader())));
		return Stream.concat(exclusive, this.monitors.stream().flatMap(LeaseMonitor::readers));
	}

	private static HeldLockInfo info(HeldLock held, Instant now, long nanos) {
		Long left = held.lease().nanosLeft(nanos);
		return new HeldLockInfo(held.name(), held.engine().name(), held.mode(), nameOf(held.thread()),
				now.minusNanos(held.nanosHeldAt(nanos)), (left != null) ? Duration.ofNanos(left) : null,
				(held.mode() == LockMode.WRITE) ? held.token() : null, held.isValid());
	}

	private WaitingThread info(Waiting waiting, Instant since) {
		AcquireRequest request = waiting.request();
		return new WaitingThread(request.name(), this.engines.nameFor(request.options()), request.mode(),
				nameOf(waiting.thread()), since);
	}

	/** A virtual thread has no name unless it is given one. */
	private static String nameOf(Thread thread) {
		return thread.getName().isEmpty() ? "thread-" + thread.getId() : thread.getName();
	}

}
