package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * Locks over fake engines, other threads to use them, and what was told.
 */
public final class TestLocks implements AutoCloseable {

	/** Long enough for no test to see it end. */
	static final Duration LONG = Duration.ofMinutes(10);

	final List<LockEvent> events = new CopyOnWriteArrayList<>();

	final EngineDistributedLocks locks;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	TestLocks(LockEngine... engines) {
		this(LONG, engines);
	}

	TestLocks(Duration lease, LockEngine... engines) {
		this.locks = new EngineDistributedLocks(List.of(engines), lease, List.of(this.events::add));
	}

	DistributedLock get(String name) {
		return this.locks.get(name);
	}

	DistributedLock get(String name, LockOptions options) {
		return this.locks.get(name, options);
	}

	List<LockEvent.Type> told() {
		return this.events.stream().map(LockEvent::type).toList();
	}

	LockEvent told(LockEvent.Type type) {
		await().until(() -> told().contains(type));
		return this.events.stream().filter((event) -> event.type() == type).findFirst().orElseThrow();
	}

	<T extends @Nullable Object> Future<T> inBackground(Callable<T> task) {
		return this.threads.submit(task);
	}

	/**
	 * Runs on another thread and waits for it.
	 */
	<T extends @Nullable Object> T elsewhere(Callable<T> task) throws Exception {
		return inBackground(task).get(20, TimeUnit.SECONDS);
	}

	/**
	 * Begins on another thread, and waits until that has nothing left to do but wait.
	 */
	<T extends @Nullable Object> Waiting<T> waiting(Callable<T> task) {
		AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
		Future<T> result = inBackground(() -> {
			thread.set(Thread.currentThread());
			return task.call();
		});
		await().until(() -> isParked(thread.get()));
		return new Waiting<>(thread.get(), result);
	}

	static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean isParked(@Nullable Thread thread) {
		return thread != null
				&& (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.locks.close();
	}

	record Waiting<T extends @Nullable Object>(Thread thread, Future<T> result) {

		T get() throws Exception {
			return this.result.get(20, TimeUnit.SECONDS);
		}

	}

}
