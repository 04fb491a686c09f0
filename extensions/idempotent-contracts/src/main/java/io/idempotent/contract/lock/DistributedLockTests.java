package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The engine below a {@link DistributedLock}. */
abstract class DistributedLockTests extends LockTests {

	DistributedLockTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void countsReEntryAndKeepsTheToken() {
		DistributedLock lock = locks().get(name());
		lock.lock();
		long token = lock.fencingToken();
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.holdCount()).isEqualTo(3);
		assertThat(lock.fencingToken()).isEqualTo(token);
		lock.unlock();
		lock.unlock();
		assertThat(otherLocks().get(name()).tryLock()).isFalse();
		lock.unlock();
		assertThat(lock.isHeldByCurrentThread()).isFalse();
		DistributedLock other = otherLocks().get(name());
		assertThat(other.tryLock()).isTrue();
		assertThat(other.fencingToken()).isGreaterThan(token);
		other.unlock();
	}

	@Test
	void refusesTheUnlockOfAnotherThread() throws Exception {
		DistributedLock lock = locks().get(name());
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
		DistributedLock lock = locks().get(name(), LockOptions.DEFAULTS.withLease(LEASE));
		lock.lock();
		TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() + 1000);
		assertThat(lock.isValid()).isTrue();
		assertThat(otherLocks().get(name()).tryLock()).isFalse();
		lock.unlock();
		assertThat(events()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void holdsAnExtendedLockUntilItsNewEnd() throws Exception {
		DistributedLock lock = locks().get(name(),
				LockOptions.DEFAULTS.withLease(Duration.ofSeconds(2)).withHoldAtMost(Duration.ofSeconds(2)));
		Duration extension = Duration.ofMillis(3500);
		lock.lock();
		long start = System.nanoTime();
		lock.extend(extension);
		TimeUnit.MILLISECONDS.sleep(2200);
		assertThat(lock.isValid() || System.nanoTime() - start > extension.toNanos()).as("valid").isTrue();
		DistributedLock next = otherLocks().get(name());
		assertThat(next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(extension.minusMillis(100));
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.extend(Duration.ofMinutes(1)));
		assertThat(next.isValid()).isTrue();
		next.unlock();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void reportsTheLossOfAFixedLease() throws Exception {
		DistributedLock lock = locks().get(name(),
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(500)).withHoldAtMost(Duration.ofMillis(500)));
		CountDownLatch lost = new CountDownLatch(1);
		lock.lock();
		long token = lock.fencingToken();
		lock.onLoss((event) -> lost.countDown());
		DistributedLock next = otherLocks().get(name());
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
		assertThat(lostWithin(Duration.ofSeconds(10))).isTrue();
	}

	private boolean lostWithin(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (!events().contains(LockEvent.Type.LOST) && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(10_000_000);
		}
		return events().contains(LockEvent.Type.LOST);
	}

	@Test
	void reportsTheLossOfAShortFixedLeaseAtOnce() throws Exception {
		DistributedLock lock = locks().get(name(),
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(800)).withHoldAtMost(Duration.ofMillis(800)));
		Duration atOnce = Duration.ofMillis(880);
		Duration shortest = Duration.ofDays(1);
		// The best of some, since a busy machine is late now and then.
		for (int i = 0; i < 10 && shortest.compareTo(atOnce) >= 0; i++) {
			CompletableFuture<LockEvent> told = new CompletableFuture<>();
			lock.lock();
			lock.onLoss(told::complete);
			while (lock.isValid()) {
				LockSupport.parkNanos(1_000_000);
			}
			assertThat(lock.isHeldByCurrentThread()).isFalse();
			assertThat(lock.holdCount()).isZero();
			Duration time = told.get(20, TimeUnit.SECONDS).time();
			shortest = (time.compareTo(shortest) < 0) ? time : shortest;
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		}
		assertThat(shortest).isLessThan(atOnce);
	}

	@Test
	void excludesAllThreadsOfAllNodes() throws Exception {
		long seed = Long.getLong("idempotent.seed", System.nanoTime());
		int[] unsynchronised = new int[1];
		List<Long> tokens = new ArrayList<>();
		List<Callable<Integer>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Random random = new Random(seed + i);
			DistributedLock lock = ((i % 2 == 0) ? locks() : otherLocks()).get(name());
			work.add(() -> count(lock, random, unsynchronised, tokens));
		}
		int entered = 0;
		for (Future<Integer> done : threads().invokeAll(work)) {
			entered += done.get();
		}
		assertThat(unsynchronised[0]).as("seed %s", seed).isEqualTo(entered);
		assertThat(tokens).as("seed %s", seed).isSorted().doesNotHaveDuplicates().hasSize(entered);
	}

	private static int count(DistributedLock lock, Random random, int[] counter, List<Long> tokens) throws Exception {
		int entered = 0;
		for (int round = 0; round < 25; round++) {
			if (!enter(lock, random)) {
				continue;
			}
			try {
				entered++;
				int read = counter[0];
				tokens.add(lock.fencingToken());
				if (random.nextBoolean()) {
					LockSupport.parkNanos(1);
				}
				counter[0] = read + 1;
			}
			finally {
				lock.unlock();
			}
		}
		return entered;
	}

}
