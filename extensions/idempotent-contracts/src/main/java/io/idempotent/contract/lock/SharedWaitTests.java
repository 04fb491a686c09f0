package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Readers and writers that wait for each other: none of them starves. */
abstract class SharedWaitTests extends LockTests {

	SharedWaitTests(LockEngineContract contract) {
		super(contract);
	}

	@BeforeEach
	void requireShared() {
		assumeShared();
	}

	@Test
	void wakesAWaitingWriterWhenTheLastReaderLeaves() throws Exception {
		LockGrant one = read(engine(), LONG_LEASE);
		LockGrant two = read(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> writer = waiting(otherEngine(), request(LEASE));
		TimeUnit.MILLISECONDS.sleep(200);
		one.release(Duration.ZERO);
		TimeUnit.MILLISECONDS.sleep(200);
		assertThat(writer.isDone()).isFalse();
		two.release(Duration.ZERO);
		require(writer.get(20, TimeUnit.SECONDS)).release(Duration.ZERO);
	}

	@Test
	void wakesWaitingReadersOfAllNodesTogether() throws Exception {
		LockGrant writer = take(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> one = waiting(engine(), readRequest(LONG_LEASE));
		Future<@Nullable LockGrant> two = waiting(otherEngine(), readRequest(LONG_LEASE));
		TimeUnit.MILLISECONDS.sleep(200);
		assertThat(one.isDone() || two.isDone()).isFalse();
		writer.release(Duration.ZERO);
		LockGrant first = require(one.get(20, TimeUnit.SECONDS));
		LockGrant second = require(two.get(20, TimeUnit.SECONDS));
		first.release(Duration.ZERO);
		second.release(Duration.ZERO);
	}

	@Test
	void givesUpWaitingForAWriterInTime() throws Exception {
		LockGrant writer = take(engine(), LONG_LEASE);
		long start = System.nanoTime();
		assertThat(otherEngine().acquire(readRequest(LEASE), Duration.ofMillis(400))).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(380),
				Duration.ofSeconds(10));
		writer.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void admitsNoReaderWhileAWriterWaits() throws Exception {
		LockGrant reader = read(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> writer = waiting(otherEngine(), request(LEASE));
		awaitUntil("no reader is admitted", () -> !admits(engine()));
		assertThat(admits(otherEngine())).isFalse();
		assertThat(writer.isDone()).isFalse();
		reader.release(Duration.ZERO);
		require(writer.get(20, TimeUnit.SECONDS)).release(Duration.ZERO);
	}

	@Test
	void admitsReadersAfterAWriterGaveUp() throws Exception {
		LockGrant reader = read(engine(), LONG_LEASE);
		assertThat(otherEngine().acquire(request(LEASE), Duration.ofMillis(400))).isNull();
		long start = System.nanoTime();
		awaitUntil("a reader is admitted", () -> admits(engine()));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
		reader.release(Duration.ZERO);
	}

	@Test
	void admitsReadersAfterAnInterruptedWriter() throws Exception {
		LockGrant reader = read(engine(), LONG_LEASE);
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		Future<@Nullable LockGrant> writer = inBackground(() -> {
			thread.complete(Thread.currentThread());
			return otherEngine().acquire(request(LEASE), LockEngine.FOREVER);
		});
		awaitUntil("no reader is admitted", () -> !admits(engine()));
		thread.get(20, TimeUnit.SECONDS).interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> writer.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
		awaitUntil("a reader is admitted", () -> admits(engine()));
		reader.release(Duration.ZERO);
	}

	@Test
	void wakesReadersWhenTheWaitingWriterGivesUp() throws Exception {
		LockGrant reader = read(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> writer = inBackground(
				() -> otherEngine().acquire(request(LEASE), Duration.ofMillis(1500)));
		awaitUntil("no reader is admitted", () -> !admits(engine()));
		Future<@Nullable LockGrant> second = waiting(engine(), readRequest(LONG_LEASE));
		assertThat(writer.get(20, TimeUnit.SECONDS)).isNull();
		require(second.get(20, TimeUnit.SECONDS)).release(Duration.ZERO);
		reader.release(Duration.ZERO);
	}

	@Test
	void admitsReadersBetweenWritersThatNeverPause() throws Exception {
		AtomicBoolean stopped = new AtomicBoolean();
		AtomicInteger sections = new AtomicInteger();
		Future<Boolean> one = inBackground(() -> write(engine(), stopped, sections));
		Future<Boolean> two = inBackground(() -> write(otherEngine(), stopped, sections));
		try {
			for (int i = 0; i < 3; i++) {
				int before = sections.get();
				awaitUntil("writers are busy", () -> sections.get() > before + 1);
				LockEngine node = (i % 2 == 0) ? engine() : otherEngine();
				require(node.acquire(readRequest(LONG_LEASE), Duration.ofSeconds(10))).release(Duration.ZERO);
			}
		}
		finally {
			stopped.set(true);
		}
		assertThat(one.get(20, TimeUnit.SECONDS) && two.get(20, TimeUnit.SECONDS)).isTrue();
	}

	private boolean write(LockEngine node, AtomicBoolean stopped, AtomicInteger sections) throws InterruptedException {
		while (!stopped.get()) {
			LockGrant grant = require(node.acquire(request(LONG_LEASE), Duration.ofSeconds(30)));
			sections.incrementAndGet();
			// Meanwhile the other writer starts to wait.
			LockSupport.parkNanos(2_000_000);
			grant.release(Duration.ZERO);
		}
		return true;
	}

	private boolean admits(LockEngine node) throws InterruptedException {
		LockGrant reader = node.acquire(readRequest(LONG_LEASE), Duration.ZERO);
		if (reader != null) {
			reader.release(Duration.ZERO);
		}
		return reader != null;
	}

}
