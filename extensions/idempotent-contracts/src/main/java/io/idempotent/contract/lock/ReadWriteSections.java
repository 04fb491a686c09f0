package io.idempotent.contract.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;

/** The sections of readers and writers, which watch each other. */
final class ReadWriteSections {

	private final AtomicInteger readers = new AtomicInteger();

	private final AtomicInteger writers = new AtomicInteger();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	/** Guarded by the lock under test. */
	private final List<Long> tokens = new ArrayList<>();

	List<String> violations() {
		return List.copyOf(this.violations);
	}

	List<Long> tokens() {
		return this.tokens;
	}

	boolean enter(DistributedReadWriteLock lock, Random random, int rounds) throws InterruptedException {
		for (int round = 0; round < rounds; round++) {
			int what = random.nextInt(5);
			if (what < 3) {
				read(lock.readLock(), random);
			}
			else {
				write(lock, random, what == 4);
			}
		}
		return true;
	}

	private void read(DistributedLock lock, Random random) throws InterruptedException {
		if (LockTests.enter(lock, random)) {
			watchAsReader(random);
			lock.unlock();
		}
	}

	private void watchAsReader(Random random) {
		this.readers.incrementAndGet();
		check(this.writers.get() == 0, "a reader beside a writer");
		pause(random);
		check(this.writers.get() == 0, "a writer beside a reader");
		this.readers.decrementAndGet();
	}

	private void write(DistributedReadWriteLock lock, Random random, boolean readsLonger) throws InterruptedException {
		if (!LockTests.enter(lock.writeLock(), random)) {
			return;
		}
		check(this.writers.incrementAndGet() == 1 && this.readers.get() == 0, "a writer beside another holder");
		this.tokens.add(lock.writeLock().fencingToken());
		pause(random);
		check(this.writers.get() == 1 && this.readers.get() == 0, "a holder beside a writer");
		if (readsLonger) {
			lock.readLock().lock();
			this.readers.incrementAndGet();
			this.writers.decrementAndGet();
			lock.writeLock().unlock();
			pause(random);
			check(this.writers.get() == 0, "a writer beside a reader that was a writer");
			this.readers.decrementAndGet();
			lock.readLock().unlock();
		}
		else {
			this.writers.decrementAndGet();
			lock.writeLock().unlock();
		}
	}

	private static void pause(Random random) {
		LockSupport.parkNanos(random.nextInt(500_000));
	}

	private void check(boolean valid, String violation) {
		if (!valid) {
			this.violations.add(violation);
		}
	}

}
