package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The engine below a {@link DistributedReadWriteLock}. */
abstract class ReadWriteLockTests extends LockTests {

	ReadWriteLockTests(LockEngineContract contract) {
		super(contract);
	}

	@BeforeEach
	void requireShared() {
		assumeShared();
	}

	@Test
	void sharesTheReadLockAmongThreadsOfAllNodes() throws Exception {
		CyclicBarrier all = new CyclicBarrier(6);
		List<Callable<Boolean>> readers = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			DistributedLock lock = lock((i % 2 == 0) ? locks() : otherLocks()).readLock();
			readers.add(() -> {
				lock.lock();
				all.await(20, TimeUnit.SECONDS);
				lock.unlock();
				return true;
			});
		}
		for (Future<Boolean> reader : threads().invokeAll(readers)) {
			assertThat(reader.get()).isTrue();
		}
		assertFree();
	}

	@Test
	void excludesAPlainLockOfTheSameName() {
		DistributedReadWriteLock lock = lock(locks());
		DistributedLock plain = otherLocks().get(name());
		lock.readLock().lock();
		assertThat(plain.tryLock()).isFalse();
		lock.readLock().unlock();
		assertThat(plain.tryLock()).isTrue();
		assertThat(lock.readLock().tryLock()).isFalse();
		assertThat(lock.writeLock().tryLock()).isFalse();
		assertThat(lock(otherLocks()).writeLock().isHeldByCurrentThread()).isTrue();
		plain.unlock();
	}

	@Test
	void countsTheEntriesOfBothLocks() {
		DistributedReadWriteLock lock = lock(locks());
		lock.writeLock().lock();
		lock.readLock().lock();
		assertThat(lock.readLock().tryLock()).isTrue();
		lock.writeLock().lock();
		assertThat(lock.writeLock().holdCount()).isEqualTo(2);
		assertThat(lock.readLock().holdCount()).isEqualTo(2);
		lock.readLock().unlock();
		lock.readLock().unlock();
		assertThat(lock.readLock().isHeldByCurrentThread()).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock.readLock()::unlock)
			.withMessageContaining("read lock");
		lock.writeLock().unlock();
		assertThat(lock(otherLocks()).readLock().tryLock()).isFalse();
		lock.writeLock().unlock();
		assertThat(lock(otherLocks()).writeLock().tryLock()).isTrue();
		lock(otherLocks()).writeLock().unlock();
	}

	@Test
	void entersTheReadLockAgainWhileAWriterWaits() throws Exception {
		DistributedLock lock = lock(locks()).readLock();
		lock.lock();
		Future<Boolean> writer = inBackground(() -> enterAndLeave(lock(otherLocks()).writeLock()));
		awaitUntil("no reader is admitted", () -> !inBackground(() -> reads(locks())).get(20, TimeUnit.SECONDS));
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.holdCount()).isEqualTo(3);
		lock.unlock();
		lock.unlock();
		assertThat(writer.isDone()).isFalse();
		lock.unlock();
		assertThat(writer.get(20, TimeUnit.SECONDS)).isTrue();
	}

	private boolean reads(DistributedLocks locks) {
		DistributedLock lock = lock(locks).readLock();
		boolean obtained = lock.tryLock();
		if (obtained) {
			lock.unlock();
		}
		return obtained;
	}

	private static boolean enterAndLeave(DistributedLock lock) {
		lock.lock();
		lock.unlock();
		return true;
	}

	@Test
	void refusesToUpgradeAtOnce() {
		DistributedReadWriteLock lock = lock(locks());
		lock.readLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock.writeLock()::lock)
			.withMessageContaining("unlock the read lock first");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock.writeLock()::tryLock);
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> lock.writeLock().tryLock(1, TimeUnit.MINUTES));
		assertThat(lock.readLock().isValid()).isTrue();
		assertThat(lock(otherLocks()).writeLock().tryLock()).isFalse();
		lock.readLock().unlock();
		assertThat(lock.writeLock().tryLock()).isTrue();
		lock.writeLock().unlock();
	}

	@Test
	void keepsTheWriteLockUntilTheReadLockUnderItIsLeft() throws Exception {
		DistributedReadWriteLock lock = lock(locks());
		lock.writeLock().lock();
		Future<Boolean> writer = inBackground(() -> enterAndLeave(lock(otherLocks()).writeLock()));
		Future<Boolean> localWriter = inBackground(() -> enterAndLeave(lock.writeLock()));
		TimeUnit.MILLISECONDS.sleep(300);
		lock.readLock().lock();
		lock.writeLock().unlock();
		TimeUnit.MILLISECONDS.sleep(300);
		assertThat(lock.readLock().isValid()).isTrue();
		assertThat(lock.readLock().holdCount()).isEqualTo(1);
		assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
		assertThat(writer.isDone() || localWriter.isDone()).isFalse();
		assertThat(lock(otherLocks()).readLock().tryLock()).isFalse();
		lock.readLock().unlock();
		assertThat(writer.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(localWriter.get(20, TimeUnit.SECONDS)).isTrue();
		assertFree();
	}

	@Test
	void givesATokenToWritersOnly() {
		DistributedReadWriteLock lock = lock(locks());
		lock.writeLock().lock();
		long token = lock.writeLock().fencingToken();
		lock.readLock().lock();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock.readLock()::fencingToken)
			.withMessageContaining("write lock");
		lock.writeLock().unlock();
		lock.readLock().unlock();
		DistributedLock next = lock(otherLocks()).writeLock();
		next.lock();
		assertThat(next.fencingToken()).isGreaterThan(token);
		next.unlock();
	}

	@Test
	void renewsAReadLockThatIsHeldLongerThanItsLease() throws Exception {
		LockOptions options = LockOptions.DEFAULTS.withLease(LEASE);
		DistributedReadWriteLock lock = locks().readWrite(name(), options);
		lock.readLock().lock();
		DistributedLock reader = otherLocks().readWrite(name(), options).readLock();
		reader.lock();
		TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() + 1000);
		assertThat(lock.readLock().isValid()).isTrue();
		assertThat(reader.isValid()).isTrue();
		assertThat(inBackground(otherLocks().get(name())::tryLock).get(20, TimeUnit.SECONDS)).isFalse();
		lock.readLock().unlock();
		reader.unlock();
		assertThat(events()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void reportsTheLossOfAReadLock() throws Exception {
		assumeLeases();
		DistributedLock lock = locks()
			.readWrite(name(),
					LockOptions.DEFAULTS.withLease(Duration.ofMillis(500)).withHoldAtMost(Duration.ofMillis(500)))
			.readLock();
		CountDownLatch lost = new CountDownLatch(1);
		lock.lock();
		lock.onLoss((event) -> lost.countDown());
		DistributedLock writer = otherLocks().get(name());
		assertThat(writer.tryLock(20, TimeUnit.SECONDS)).isTrue();
		assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThat(writer.isValid()).isTrue();
		writer.unlock();
	}

	@Test
	void admitsAReaderWhileThreadsOfANodePassTheLockOn() throws Exception {
		AtomicBoolean stopped = new AtomicBoolean();
		List<Future<Boolean>> writers = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			writers.add(inBackground(() -> {
				while (!stopped.get()) {
					enterAndLeave(lock(locks()).writeLock());
				}
				return true;
			}));
		}
		try {
			for (int i = 0; i < 3; i++) {
				DistributedLock reader = lock((i % 2 == 0) ? otherLocks() : locks()).readLock();
				assertThat(reader.tryLock(10, TimeUnit.SECONDS)).isTrue();
				reader.unlock();
			}
		}
		finally {
			stopped.set(true);
		}
		for (Future<Boolean> writer : writers) {
			assertThat(writer.get(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void admitsAWriterAloneOrReaders() throws Exception {
		long seed = Long.getLong("idempotent.seed", System.nanoTime());
		ReadWriteSections sections = new ReadWriteSections();
		List<Callable<Boolean>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			DistributedReadWriteLock lock = lock((i % 2 == 0) ? locks() : otherLocks());
			Random random = new Random(seed + i);
			work.add(() -> sections.enter(lock, random, 40));
		}
		for (Future<Boolean> done : threads().invokeAll(work)) {
			assertThat(done.get()).as("seed %s", seed).isTrue();
		}
		assertThat(sections.violations()).as("seed %s", seed).isEmpty();
		assertThat(sections.tokens()).as("seed %s", seed).isSorted().doesNotHaveDuplicates();
		assertFree();
	}

	private DistributedReadWriteLock lock(DistributedLocks locks) {
		return locks.readWrite(name());
	}

}
