package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.LockGrant.Standing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What every engine promises, alone and below a {@link DistributedLock}. Two nodes are
 * two clients of the same servers.
 */
@Timeout(120)
public abstract class LockEngineContract {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private final String name = "contract:" + Long.toHexString(ThreadLocalRandom.current().nextLong());

	private final List<LockEvent> events = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	protected LockEngine engine;

	protected LockEngine otherEngine;

	private EngineDistributedLocks locks;

	private EngineDistributedLocks otherLocks;

	/**
	 * Another client of the servers under test. Whatever it opens is closed by
	 * {@link #close(LockEngine)}.
	 * @return the engine of another node
	 */
	protected abstract LockEngine node();

	/**
	 * Closes a client.
	 * @param engine what {@link #node()} returned
	 */
	protected void close(LockEngine engine) {
		engine.close();
	}

	/**
	 * Whether the server ends a lease that is not renewed, however alive its holder.
	 * @return whether leases are the server's
	 */
	protected boolean leasesEndByThemselves() {
		return true;
	}

	/**
	 * Whether a grant can be passed on within a node.
	 * @return whether it can
	 */
	protected boolean passesOn() {
		return true;
	}

	/**
	 * Whether nodes that wait for a fair lock are served in the order in which they
	 * asked.
	 * @return whether they take turns
	 */
	protected boolean takesTurns() {
		return false;
	}

	@BeforeEach
	void start() {
		this.engine = node();
		this.otherEngine = node();
		this.locks = locks(this.engine);
		this.otherLocks = locks(this.otherEngine);
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
		close(this.engine);
		close(this.otherEngine);
	}

	private EngineDistributedLocks locks(LockEngine engine) {
		return new EngineDistributedLocks(List.of(engine),
				new LockDefaults(LEASE, Renewal.WHILE_HELD, Duration.ofMinutes(1)), List.of(this::remember));
	}

	private void remember(LockEvent event) {
		synchronized (this.events) {
			this.events.add(event);
		}
	}

	private List<LockEvent.Type> told() {
		synchronized (this.events) {
			return this.events.stream().map(LockEvent::type).toList();
		}
	}

	@Test
	void grantsAFreeLockAndRefusesATakenOne() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Standing.HELD);
		assertThat(require(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).release(Duration.ZERO))
			.isEqualTo(Standing.HELD);
	}

	@Test
	void grantsOneOfTwoOwnersOnTheSameClientAndThread() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		assertThat(this.engine.acquire(request(LEASE), Duration.ZERO)).isNull();
		grant.release(Duration.ZERO);
	}

	@Test
	void doesNotConfuseNames() throws Exception {
		LockGrant one = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		LockGrant two = require(this.engine.acquire(new LockRequest(this.name + "/2", LEASE, false, 1), Duration.ZERO));
		LockGrant three = require(this.engine
			.acquire(new LockRequest(this.name.toUpperCase(Locale.ROOT), LEASE, false, 1), Duration.ZERO));
		for (LockGrant grant : List.of(one, two, three)) {
			assertThat(grant.release(Duration.ZERO)).isEqualTo(Standing.HELD);
		}
	}

	@Test
	void keepsNamesOfEveryAlphabetAndLength() throws Exception {
		for (String strange : List.of("订单:42", "a/b\\c..", "..", "%2F*?[x]", "x".repeat(255), "订".repeat(255),
				"ß|'\"`;--")) {
			LockRequest request = new LockRequest(strange, LEASE, false, 1);
			LockGrant grant = require(this.engine.acquire(request, Duration.ZERO));
			assertThat(this.otherEngine.acquire(request, Duration.ZERO)).as(strange).isNull();
			assertThat(grant.release(Duration.ZERO)).as(strange).isEqualTo(Standing.HELD);
		}
	}

	@Test
	void raisesTheTokenWithEveryGrant() throws Exception {
		long last = Long.MIN_VALUE;
		for (int i = 0; i < 20; i++) {
			LockEngine node = (i % 2 == 0) ? this.engine : this.otherEngine;
			LockGrant grant = require(node.acquire(new LockRequest(this.name, LEASE, i % 3 == 0, 1), Duration.ZERO));
			assertThat(grant.token()).isGreaterThan(last);
			last = grant.token();
			grant.release(Duration.ZERO);
		}
	}

	@Test
	void keepsTheTokenOfAGrantThatWasFollowedByAnother() throws Exception {
		LockGrant stale = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		long token = stale.token();
		stale.release(Duration.ZERO);
		LockGrant next = require(this.otherEngine.acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.token()).isEqualTo(token).isLessThan(next.token());
		next.release(Duration.ZERO);
	}

	@Test
	void leavesTheNextHolderAloneAfterTheRelease() throws Exception {
		LockGrant stale = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		stale.release(Duration.ZERO);
		LockGrant next = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.release(Duration.ZERO)).isEqualTo(Standing.LOST);
		assertThat(stale.release(Duration.ofSeconds(1))).isEqualTo(Standing.LOST);
		assertThat(stale.renew(LEASE)).isEqualTo(Standing.LOST);
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(Standing.HELD);
		assertThat(next.release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void endsALeaseThatIsNotRenewed() throws Exception {
		assumeTrue(leasesEndByThemselves(), "This engine has no leases that end by themselves");
		LockGrant stale = require(this.engine.acquire(request(Duration.ofMillis(300)), Duration.ZERO));
		LockGrant next = require(this.otherEngine.acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(next.token()).isGreaterThan(stale.token());
		assertThat(stale.renew(LEASE)).isEqualTo(Standing.LOST);
		assertThat(stale.release(Duration.ZERO)).isEqualTo(Standing.LOST);
		assertThat(next.release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void keepsALeaseThatIsRenewed() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(Duration.ofMillis(600)), Duration.ZERO));
		for (int i = 0; i < 10; i++) {
			TimeUnit.MILLISECONDS.sleep(120);
			assertThat(grant.renew(Duration.ofMillis(600))).isEqualTo(Standing.HELD);
			assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		}
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void keepsALockTakenForAWhileAfterItsRelease() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		assertThat(grant.release(Duration.ofMillis(700))).isEqualTo(Standing.HELD);
		long start = System.nanoTime();
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		LockGrant next = require(this.otherEngine.acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(500));
		assertThat(next.release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void passesALockOnWithATokenAndAnOwnerOfItsOwn() throws Exception {
		assumeTrue(passesOn(), "This engine passes nothing on");
		LockGrant first = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		LockGrant second = require(first.handOff(request(Duration.ofMinutes(1))));
		assertThat(second.token()).isGreaterThan(first.token());
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(first.renew(LEASE)).isEqualTo(Standing.LOST);
		assertThat(first.release(Duration.ZERO)).isEqualTo(Standing.LOST);
		assertThat(first.handOff(request(LEASE))).isNull();
		assertThat(second.renew(LEASE)).isEqualTo(Standing.HELD);
		assertThat(second.release(Duration.ZERO)).isEqualTo(Standing.HELD);
		LockGrant third = require(this.otherEngine.acquire(request(LEASE), Duration.ZERO));
		assertThat(third.token()).isGreaterThan(second.token());
		third.release(Duration.ZERO);
	}

	@Test
	void passesNothingOnThatSomebodyElseHas() throws Exception {
		LockGrant stale = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		stale.release(Duration.ZERO);
		assertThat(stale.handOff(request(LEASE))).isNull();
		LockGrant next = require(this.otherEngine.acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.handOff(request(LEASE))).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(Standing.HELD);
		next.release(Duration.ZERO);
	}

	@Test
	void passesALockOnForTheLeaseOfTheNextHolder() throws Exception {
		assumeTrue(passesOn() && leasesEndByThemselves(), "This engine passes nothing on, or has no leases");
		LockGrant first = require(this.engine.acquire(request(Duration.ofMinutes(1)), Duration.ZERO));
		LockGrant second = require(first.handOff(request(Duration.ofMillis(300))));
		LockGrant third = require(this.otherEngine.acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(second.handOff(request(LEASE))).isNull();
		assertThat(second.release(Duration.ZERO)).isEqualTo(Standing.LOST);
		assertThat(third.release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void renewsNothingAfterTheRelease() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		grant.release(Duration.ZERO);
		assertThat(grant.renew(LEASE)).isEqualTo(Standing.LOST);
		assertFree();
	}

	@Test
	void keepsALockTakenNoLongerForALateRenewal() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		grant.release(Duration.ofMillis(300));
		grant.renew(Duration.ofMinutes(1));
		require(this.otherEngine.acquire(request(LEASE), Duration.ofSeconds(20))).release(Duration.ZERO);
	}

	@Test
	void wakesAWaitingNodeWhenTheLockIsReleased() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(Duration.ofMinutes(1)), Duration.ZERO));
		Future<@Nullable LockGrant> waiting = inBackground(
				() -> this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER));
		TimeUnit.MILLISECONDS.sleep(300);
		assertThat(waiting.isDone()).isFalse();
		grant.release(Duration.ZERO);
		assertThat(require(waiting.get(20, TimeUnit.SECONDS)).release(Duration.ZERO)).isEqualTo(Standing.HELD);
	}

	@Test
	void givesUpWaitingInTime() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(Duration.ofMinutes(1)), Duration.ZERO));
		long start = System.nanoTime();
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ofMillis(400))).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(380),
				Duration.ofSeconds(10));
		grant.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void holdsNothingAfterAnInterruptedWait() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(Duration.ofMinutes(1)), Duration.ZERO));
		AtomicReference<Thread> waiter = new AtomicReference<>();
		Future<@Nullable LockGrant> waiting = inBackground(() -> {
			waiter.set(Thread.currentThread());
			return this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER);
		});
		TimeUnit.MILLISECONDS.sleep(300);
		waiter.get().interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
		grant.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void waitsThroughInterruptsInItsTurn() throws Exception {
		LockRequest request = new LockRequest(this.name, Duration.ofMinutes(1), true, 1, false);
		LockGrant grant = require(this.engine.acquire(request, Duration.ZERO));
		List<String> served = new CopyOnWriteArrayList<>();
		AtomicReference<Thread> waiter = new AtomicReference<>();
		Future<Boolean> first = inBackground(() -> {
			waiter.set(Thread.currentThread());
			serve("first", this.otherEngine, request, served);
			return Thread.interrupted();
		});
		TimeUnit.MILLISECONDS.sleep(300);
		Future<Void> second = inBackground(() -> serve("second", this.engine, request, served));
		TimeUnit.MILLISECONDS.sleep(300);
		for (int i = 0; i < 50; i++) {
			waiter.get().interrupt();
			LockSupport.parkNanos(1_000_000);
		}
		assertThat(served).isEmpty();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Standing.HELD);
		assertThat(first.get(30, TimeUnit.SECONDS)).as("left interrupted").isTrue();
		second.get(30, TimeUnit.SECONDS);
		assertThat(served).containsExactlyInAnyOrder("first", "second");
		if (takesTurns()) {
			assertThat(served).containsExactly("first", "second");
		}
	}

	private static @Nullable Void serve(String name, LockEngine node, LockRequest request, List<String> served)
			throws InterruptedException {
		LockGrant grant = require(node.acquire(request, LockEngine.FOREVER));
		served.add(name);
		grant.release(Duration.ZERO);
		return null;
	}

	@Test
	void takesAFreeLockWithOneAttemptHoweverOftenItsThreadIsInterrupted() throws Exception {
		CountedEngine counted = new CountedEngine(this.engine);
		AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
		Future<Integer> locking = inBackground(() -> {
			holder.set(Thread.currentThread());
			try (EngineDistributedLocks locks = locks(counted)) {
				return lockAndUnlock(locks.get(this.name), 20);
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
	void asksNobodyWhenInterruptedBefore() throws Exception {
		Thread.currentThread().interrupt();
		assertThatThrownBy(() -> this.engine.acquire(request(LEASE), Duration.ZERO))
			.isInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isFalse();
		assertFree();
	}

	@Test
	void releasesAndRenewsOnAnInterruptedThreadAndLeavesItInterrupted() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		Thread.currentThread().interrupt();
		assertThat(grant.renew(LEASE)).isEqualTo(Standing.HELD);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Standing.HELD);
		assertThat(Thread.interrupted()).isTrue();
		assertFree();
	}

	@Test
	void renewsAndReleasesOnAnyThread() throws Exception {
		LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		assertThat(inBackground(() -> grant.renew(LEASE)).get(20, TimeUnit.SECONDS)).isEqualTo(Standing.HELD);
		assertThat(inBackground(() -> grant.release(Duration.ZERO)).get(20, TimeUnit.SECONDS)).isEqualTo(Standing.HELD);
		assertFree();
	}

	@Test
	void servesWaitersWhetherFairOrNot() throws Exception {
		for (boolean fair : new boolean[] { true, false }) {
			LockRequest request = new LockRequest(this.name + fair, LEASE, fair, 1);
			LockGrant grant = require(this.engine.acquire(request, Duration.ZERO));
			Future<@Nullable LockGrant> waiting = inBackground(
					() -> this.otherEngine.acquire(request, Duration.ofSeconds(30)));
			TimeUnit.MILLISECONDS.sleep(200);
			grant.release(Duration.ZERO);
			require(waiting.get(30, TimeUnit.SECONDS)).release(Duration.ZERO);
		}
	}

	@Test
	void countsReEntryAndKeepsTheToken() {
		DistributedLock lock = this.locks.get(this.name);
		lock.lock();
		long token = lock.fencingToken();
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.holdCount()).isEqualTo(3);
		assertThat(lock.fencingToken()).isEqualTo(token);
		lock.unlock();
		lock.unlock();
		assertThat(this.otherLocks.get(this.name).tryLock()).isFalse();
		lock.unlock();
		assertThat(lock.isHeldByCurrentThread()).isFalse();
		DistributedLock other = this.otherLocks.get(this.name);
		assertThat(other.tryLock()).isTrue();
		assertThat(other.fencingToken()).isGreaterThan(token);
		other.unlock();
	}

	@Test
	void refusesTheUnlockOfAnotherThread() throws Exception {
		DistributedLock lock = this.locks.get(this.name);
		lock.lock();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> inBackground(() -> {
			lock.unlock();
			return null;
		}).get(20, TimeUnit.SECONDS)).withCauseInstanceOf(IllegalMonitorStateException.class);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
	}

	@Test
	void renewsALockThatIsHeldLongerThanItsLease() throws Exception {
		DistributedLock lock = this.locks.get(this.name, LockOptions.DEFAULTS.withLease(Duration.ofMillis(600)));
		lock.lock();
		TimeUnit.MILLISECONDS.sleep(1800);
		assertThat(lock.isValid()).isTrue();
		assertThat(this.otherLocks.get(this.name).tryLock()).isFalse();
		lock.unlock();
		assertThat(told()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void tellsTheLossOfAFixedLeaseAndLeavesTheNextHolderAlone() throws Exception {
		DistributedLock lock = this.locks.get(this.name,
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(500)).withRenewal(Renewal.FIXED));
		CountDownLatch lost = new CountDownLatch(1);
		lock.lock();
		long token = lock.fencingToken();
		lock.onLoss((event) -> lost.countDown());
		DistributedLock next = this.otherLocks.get(this.name);
		assertThat(next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(next.fencingToken()).isGreaterThan(token);
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::fencingToken);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
			.isNotInstanceOf(LockLostException.class);
		assertThat(next.isValid()).isTrue();
		assertThat(lock.tryLock()).isFalse();
		next.unlock();
		await().untilAsserted(() -> assertThat(told()).contains(LockEvent.Type.LOST));
	}

	@Test
	void tellsTheLossOfAShortFixedLeaseAtOnce() throws Exception {
		DistributedLock lock = this.locks.get(this.name,
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(200)).withRenewal(Renewal.FIXED));
		Duration shortest = Duration.ofDays(1);
		// The best of some, since a busy machine is late now and then.
		for (int i = 0; i < 5; i++) {
			CompletableFuture<LockEvent> told = new CompletableFuture<>();
			lock.lock();
			lock.onLoss(told::complete);
			while (lock.isValid()) {
				Thread.onSpinWait();
			}
			assertThat(lock.isHeldByCurrentThread()).isFalse();
			assertThat(lock.holdCount()).isZero();
			Duration time = told.get(20, TimeUnit.SECONDS).time();
			shortest = (time.compareTo(shortest) < 0) ? time : shortest;
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		}
		assertThat(shortest).isLessThan(Duration.ofMillis(280));
	}

	@Test
	void excludesAllThreadsOfAllNodes() throws Exception {
		long seed = Long.getLong("idempotent.seed", System.nanoTime());
		System.out.println(getClass().getSimpleName() + " seed " + seed);
		int[] unsynchronised = new int[1];
		List<Long> tokens = new ArrayList<>();
		List<Callable<Integer>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Random random = new Random(seed + i);
			DistributedLock lock = ((i % 2 == 0) ? this.locks : this.otherLocks).get(this.name);
			work.add(() -> count(lock, random, unsynchronised, tokens));
		}
		int entered = 0;
		for (Future<Integer> done : this.threads.invokeAll(work)) {
			entered += done.get();
		}
		assertThat(unsynchronised[0]).as("seed %s", seed).isEqualTo(entered);
		assertThat(tokens).as("seed %s", seed).isSorted().doesNotHaveDuplicates().hasSize(entered);
	}

	private static int count(DistributedLock lock, Random random, int[] counter, List<Long> tokens) throws Exception {
		int entered = 0;
		for (int round = 0; round < 25; round++) {
			if (!enter(lock, random.nextInt(4))) {
				continue;
			}
			entered++;
			int read = counter[0];
			tokens.add(lock.fencingToken());
			if (random.nextBoolean()) {
				LockSupport.parkNanos(1);
			}
			counter[0] = read + 1;
			lock.unlock();
		}
		return entered;
	}

	private static boolean enter(DistributedLock lock, int way) throws InterruptedException {
		switch (way) {
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

	protected final String lockName() {
		return this.name;
	}

	protected final LockRequest request(Duration lease) {
		return new LockRequest(this.name, lease, false, 1);
	}

	protected final <T extends @Nullable Object> Future<T> inBackground(Callable<T> task) {
		return this.threads.submit(task);
	}

	/**
	 * The lock is free at once, or when a compensating release has arrived.
	 */
	protected final void assertFree() {
		await().atMost(Duration.ofMillis(2500)).untilAsserted(() -> {
			LockGrant grant = this.otherEngine.acquire(request(LEASE), Duration.ZERO);
			assertThat(grant).isNotNull();
			grant.release(Duration.ZERO);
		});
	}

	protected static LockGrant require(@Nullable LockGrant grant) {
		assertThat(grant).isNotNull();
		return grant;
	}

}
