package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.FakeEngine.FakeGrant;
import io.idempotent.support.DaemonThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What the connection says of leases, what is repeated, and what the monitor costs.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class LeaseMonitorTests {

	/** Long enough for a busy machine to renew it in time. */
	private static final LockOptions RENEWED = LockOptions.DEFAULTS.withLease(Duration.ofSeconds(3));

	private final FakeEngine engine = FakeEngine.withLeases("watched");

	private final TestLocks locks = new TestLocks(this.engine);

	private final DistributedLock lock = this.locks.get("a");

	@AutoClose("shutdownNow")
	private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("sweeper"));

	private final FakeEngine eternal = FakeEngine.withoutLeases("eternal");

	private final ConcurrentMap<String, LocalLockQueue> queues = new ConcurrentHashMap<>();

	@AfterEach
	void close() {
		assertThat(Thread.interrupted()).isFalse();
		this.locks.close();
	}

	@Test
	void leasesAreSuspectWhileTheConnectionIsDown() {
		this.lock.lock();
		this.engine.observer.suspended(Duration.ofMinutes(1));
		assertThat(this.locks.told(LockEvent.Type.SUSPECT).token()).isEqualTo(this.lock.fencingToken());
		assertThat(this.lock.isValid()).isTrue();
		this.engine.observer.restored();
		this.locks.told(LockEvent.Type.RESUMED);
		assertThat(this.engine.grant().renewals).isNotEmpty();
		this.lock.unlock();
	}

	@Test
	void aSuspendedConnectionSaysWhenLeasesEndAtTheLatest() {
		this.lock.lock();
		this.engine.grant().failRenewals(new LockUnavailableException("down", null));
		this.engine.observer.suspended(Duration.ofMillis(50));
		LockEvent lost = this.locks.told(LockEvent.Type.LOST);
		assertThat(lost.time()).isLessThan(Duration.ofMinutes(1));
		assertThat(this.lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void aRestoredConnectionFindsWhatIsGone() {
		this.lock.lock();
		this.engine.observer.suspended(Duration.ofMinutes(1));
		this.engine.grant().vanish();
		this.engine.observer.restored();
		this.locks.told(LockEvent.Type.LOST);
		assertThat(this.locks.told()).doesNotContain(LockEvent.Type.RESUMED);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void aSuspectLeaseIsCheckedUntilItsStateIsKnown() {
		this.lock.lock();
		AtomicInteger asked = new AtomicInteger();
		this.engine.grant().onRenewal(() -> {
			if (asked.incrementAndGet() < 3) {
				throw new LockUnavailableException("still down", null);
			}
			return GrantState.HELD;
		});
		this.engine.observer.suspended(Duration.ofMinutes(1));
		this.engine.observer.restored();
		this.locks.told(LockEvent.Type.RESUMED);
		assertThat(asked).hasValue(3);
		this.lock.unlock();
	}

	@Test
	void theEndOfASessionIsTheEndOfItsLocksOnce() {
		DistributedLock other = this.locks.get("b");
		this.lock.lock();
		other.lock();
		this.engine.endSession();
		this.engine.endSession();
		assertThat(this.lock.isValid()).isFalse();
		assertThat(other.isValid()).isFalse();
		assertThat(this.locks.locks.namesInUse()).isZero();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(other::unlock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		await().untilAsserted(() -> assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED,
				LockEvent.Type.OBTAINED, LockEvent.Type.LOST, LockEvent.Type.LOST));
	}

	@Test
	void aGrantOfTheNextSessionOutlivesTheEndOfTheLast() {
		this.lock.lock();
		this.engine.observer.ended((grant) -> grant != this.engine.grant());
		assertThat(this.lock.isValid()).isTrue();
		this.lock.unlock();
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
	}

	@Test
	void connectionEventsAfterTheUnlockAreIgnored() {
		this.lock.lock();
		this.lock.unlock();
		this.engine.observer.suspended(Duration.ZERO);
		this.engine.observer.restored();
		this.engine.endSession();
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
		assertThat(this.engine.grant().renewals).isEmpty();
	}

	@Test
	void anInterruptOnLossReachesTheSectionAndEndsWithIt() throws Exception {
		DistributedLock interrupted = this.locks.get("a", LockOptions.DEFAULTS.withInterruptOnLoss(true));
		boolean[] states = this.locks.elsewhere(() -> {
			interrupted.lock();
			new Thread(this.engine::endSession).start();
			boolean inside = false;
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				inside = true;
				Thread.currentThread().interrupt();
			}
			assertThatExceptionOfType(LockLostException.class).isThrownBy(interrupted::unlock);
			return new boolean[] { inside, Thread.currentThread().isInterrupted() };
		});
		assertThat(states).containsExactly(true, false);
	}

	@Test
	void aRenewalThatDiesIsFollowedByAnother() {
		DistributedLock renewed = this.locks.get("a", RENEWED);
		renewed.lock();
		AtomicInteger asked = new AtomicInteger();
		this.engine.grant().onRenewal(() -> {
			if (asked.incrementAndGet() == 1) {
				throw new StackOverflowError();
			}
			return GrantState.HELD;
		});
		// Awaitility would take the renewal's end for the test's.
		await().dontCatchUncaughtExceptions().until(() -> asked.get() >= 3);
		assertThat(renewed.isValid()).isTrue();
		renewed.unlock();
	}

	@Test
	void aThreadThatCannotBeStartedDoesNotStopRenewals() {
		AtomicInteger refused = new AtomicInteger();
		ExecutorService threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
			@Override
			public void execute(Runnable task) {
				if (refused.incrementAndGet() <= 2) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				super.execute(task);
			}
		};
		LeaseMonitor monitor = new LeaseMonitor(this.engine, new LockListeners(List.of()), this.scheduler,
				Runnable::run, threads);
		HeldLock hold = hold("a");
		monitor.add(hold);
		FakeGrant grant = this.engine.grant();
		await().until(() -> grant.renewals.size() >= 2);
		assertThat(hold.isValid()).isTrue();
		monitor.remove(hold);
		monitor.close();
	}

	@Test
	void aHoldThatCannotBeMonitoredIsRefused() {
		AtomicInteger refused = new AtomicInteger();
		ScheduledThreadPoolExecutor refusing = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("sweeper")) {
			@Override
			public ScheduledFuture<?> schedule(Runnable sweep, long delay, TimeUnit unit) {
				if (refused.incrementAndGet() == 1) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return super.schedule(sweep, delay, unit);
			}
		};
		LockListeners events = new LockListeners(List.of());
		LeaseMonitor monitor = new LeaseMonitor(this.engine, events, refusing, Runnable::run,
				DaemonThreads.workers("watched"));
		ThreadLocks threadLocks = new ThreadLocks(new EngineSelection(List.of(this.engine), (engine) -> monitor),
				events, LockObserver.NONE);
		DistributedLock unwatched = new EngineLock("a", "a", RENEWED, Duration.ofSeconds(3), threadLocks);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(unwatched::lock);
		assertThat(unwatched.isHeldByCurrentThread()).isFalse();
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(threadLocks.acquisition().namesInUse()).isZero();
		unwatched.lock();
		await().until(() -> !this.engine.grant().renewals.isEmpty());
		assertThat(this.engine.grants.get(0).renewals).isEmpty();
		unwatched.unlock();
		monitor.close();
		refusing.shutdownNow();
	}

	@Test
	void aLossIsReportedEvenIfNoThreadCanBeStarted() {
		List<LockEvent.Type> told = new CopyOnWriteArrayList<>();
		LeaseMonitor monitor = new LeaseMonitor(this.engine,
				new LockListeners(List.of((event) -> told.add(event.type()))), this.scheduler, (task) -> {
					throw new InternalError("unable to create native thread");
				}, DaemonThreads.workers("watched"));
		HeldLock first = hold("a");
		HeldLock second = hold("b");
		monitor.add(first);
		monitor.add(second);
		monitor.ended((grant) -> true);
		assertThat(told).containsExactly(LockEvent.Type.LOST, LockEvent.Type.LOST);
		assertThat(this.queues).isEmpty();
		monitor.close();
	}

	private LeaseMonitor monitor(FakeEngine monitored, LockListener... listeners) {
		return new LeaseMonitor(monitored, new LockListeners(List.of(listeners)), this.scheduler, Runnable::run,
				DaemonThreads.workers(monitored.name()));
	}

	private HeldLock hold(String name) {
		return hold(this.engine, name);
	}

	private HeldLock hold(FakeEngine granting, String name) {
		LockRequest request = new LockRequest(name, Duration.ofSeconds(3), false);
		FakeGrant grant = granting.grant(request);
		LocalLockQueue queue = LocalLockQueue.enter(this.queues,
				new QueuedRequest(name, LockOptions.DEFAULTS, request, 0));
		return new HeldLock(name, queue, new HeldLease(granting, grant, null, System.nanoTime()), LockOptions.DEFAULTS);
	}

	@Test
	void aGrantAfterTheCloseIsReleased() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		this.engine.next((request, wait) -> {
			asked.countDown();
			closed.await();
			return this.engine.grant(request);
		});
		Future<Boolean> late = this.locks.inBackground(this.lock::tryLock);
		assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
		this.locks.locks.close();
		closed.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> late.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("shutting down");
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void aRenewalDuringTheReleaseChangesNothing() throws Exception {
		for (GrantState answer : GrantState.values()) {
			CountDownLatch renewing = new CountDownLatch(1);
			CountDownLatch released = new CountDownLatch(1);
			DistributedLock renewed = this.locks.get("a", RENEWED);
			renewed.lock();
			this.engine.grant().onRenewal(() -> {
				renewing.countDown();
				TestLocks.awaitQuietly(released);
				return answer;
			});
			assertThat(renewing.await(20, TimeUnit.SECONDS)).isTrue();
			renewed.unlock();
			released.countDown();
			renewed.lock();
			assertThat(renewed.isValid()).isTrue();
			renewed.unlock();
		}
		assertThat(this.locks.told()).doesNotContain(LockEvent.Type.LOST, LockEvent.Type.RESUMED);
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	@Tag("slow")
	void aReleaseIsRepeatedUntilTheLeaseEnds() {
		LeaseMonitor monitor = monitor(this.engine);
		for (RuntimeException failure : new RuntimeException[] { new LockUnavailableException("down", null),
				new IllegalStateException("a defect") }) {
			LockRequest request = new LockRequest(failure.getMessage(), Duration.ofMillis(2500), false);
			monitor.releaseInBackground(this.engine.grant(request).onRelease(() -> {
				throw failure;
			}), Duration.ZERO);
		}
		await().until(() -> this.engine.grants.stream().allMatch((grant) -> grant.releases.size() >= 2));
		await().until(() -> this.scheduler.getQueue().isEmpty() && this.scheduler.getActiveCount() == 0);
		monitor.close();
	}

	@Test
	@Tag("slow")
	void nothingIsCheckedWhileNoLockIsHeld() {
		LeaseMonitor monitor = monitor(this.engine);
		for (int i = 0; i < 2; i++) {
			HeldLock hold = hold("a");
			FakeGrant grant = this.engine.grant();
			monitor.add(hold);
			await().until(() -> !grant.renewals.isEmpty());
			hold.markReleased();
			monitor.remove(hold);
			await().until(() -> this.scheduler.getQueue().isEmpty() && this.scheduler.getActiveCount() == 0);
			long swept = this.scheduler.getCompletedTaskCount();
			assertThat(this.scheduler.getTaskCount()).isEqualTo(swept);
		}
		monitor.close();
	}

	@Test
	void aLimitWithoutALeaseIsCheckedWithEachSweep() {
		try (TestLocks others = new TestLocks(this.eternal)) {
			DistributedLock fixed = others.get("a",
					LockOptions.DEFAULTS.withLease(Duration.ofMillis(1300)).withHoldAtMost(Duration.ofMillis(1300)));
			fixed.lock();
			others.told(LockEvent.Type.LOST);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::unlock);
		}
	}

	@Test
	void aLeaseThatNeverEndsNeedsNoThread() {
		LeaseMonitor monitor = monitor(this.eternal);
		HeldLock hold = hold(this.eternal, "a");
		monitor.add(hold);
		assertThat(monitor.held()).containsExactly(hold);
		monitor.remove(hold);
		assertThat(monitor.held()).isEmpty();
		assertThat(this.scheduler.getTaskCount()).isZero();
		assertThat(this.scheduler.getPoolSize()).isZero();
		assertThat(threads("eternal")).isZero();
		monitor.close();
	}

	/** Counts the renewals of the grant, of which the first ones fail. */
	private static AtomicInteger renewedAfter(int failures, FakeEngine engine) {
		AtomicInteger asked = new AtomicInteger();
		engine.grant().onRenewal(() -> {
			if (asked.incrementAndGet() <= failures) {
				throw new LockUnavailableException("down", null);
			}
			return GrantState.HELD;
		});
		return asked;
	}

	@Test
	void aLeaseThatNeverEndsIsCheckedWhileItIsSuspect() {
		try (TestLocks others = new TestLocks(this.eternal)) {
			DistributedLock suspect = others.get("a");
			suspect.lock();
			AtomicInteger asked = renewedAfter(2, this.eternal);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> suspect.extend(Duration.ofMinutes(1)));
			others.told(LockEvent.Type.RESUMED);
			assertThat(asked).hasValue(3);
			suspect.unlock();
		}
	}

	@Test
	void aRenewalThatFailsIsRepeatedEvenIfTheLeaseNeverEnds() {
		try (TestLocks others = new TestLocks(this.eternal)) {
			DistributedLock renewed = others.get("a");
			renewed.lock();
			AtomicInteger asked = renewedAfter(1, this.eternal);
			this.eternal.observer.restored();
			others.told(LockEvent.Type.RESUMED);
			assertThat(asked).hasValue(2);
			renewed.unlock();
		}
	}

	@Test
	void anEndThatTheConnectionSetsOutlivesALateReply() {
		List<LockEvent.Type> told = new CopyOnWriteArrayList<>();
		LeaseMonitor monitor = monitor(this.eternal, (event) -> told.add(event.type()));
		HeldLock hold = hold(this.eternal, "a");
		this.eternal.grant().failRenewals(new LockUnavailableException("down", null));
		monitor.add(hold);
		monitor.suspended(Duration.ofMillis(1500));
		// As by the reply to a renewal before that, which was already on its way.
		assertThat(hold.resume()).isTrue();
		await().until(() -> told.contains(LockEvent.Type.LOST));
		monitor.close();
	}

	@Test
	void aLossAfterTheCloseIsReportedByTheHolder() {
		AtomicInteger told = new AtomicInteger();
		DistributedLock unwatched = this.locks.get("a", RENEWED.withLease(Duration.ofMillis(60)));
		unwatched.lock();
		unwatched.onLoss((event) -> told.incrementAndGet());
		this.locks.locks.close();
		await().until(() -> !unwatched.isValid());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(unwatched::unlock);
		await().untilAsserted(() -> assertThat(told).hasValue(1));
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void closingEndsTheThreads() {
		FakeEngine closed = FakeEngine.withLeases("closed");
		TestLocks others = new TestLocks(closed);
		DistributedLock renewed = others.get("a", RENEWED.withLease(Duration.ofSeconds(6)));
		renewed.lock();
		await().until(() -> !closed.grant().renewals.isEmpty());
		assertThat(threads("closed")).isPositive();
		others.close();
		await().until(() -> threads("closed") == 0);
		renewed.unlock();
	}

	@Test
	@Tag("slow")
	void manyHoldsAreRenewedByFewThreads() {
		FakeEngine busy = FakeEngine.withLeases("busy");
		try (TestLocks others = new TestLocks(busy)) {
			for (int i = 0; i < 200; i++) {
				others.get("many-" + i, RENEWED.withLease(Duration.ofSeconds(9))).lock();
			}
			await().until(() -> busy.grants.stream().noneMatch((grant) -> grant.renewals.isEmpty()));
			assertThat(threads("busy")).isLessThanOrEqualTo(4);
			others.locks.held().forEach(DistributedLock::unlock);
			assertThat(others.locks.namesInUse()).isZero();
		}
	}

	private static long threads(String engine) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().startsWith("idempotent-lock-" + engine))
			.count();
	}

}
