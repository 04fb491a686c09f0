package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * A node that agrees with others on the engine, its threads, and the events of its locks.
 */
final class TestNode implements AutoCloseable {

	/** Long enough for no test to see it end. */
	static final Duration LONG = Duration.ofMinutes(10);

	final List<LockEvent> events = new CopyOnWriteArrayList<>();

	final EngineDistributedLocks locks;

	final EngineSwitching switching;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	TestNode(SharedEntry store, SwitchSettings settings, LockEngine... engines) {
		List<String> names = Stream.of(engines).map(LockEngine::name).toList();
		Epochs epochs = new Epochs(store, settings, names, EngineHealth.UNKNOWN);
		this.locks = new EngineDistributedLocks(List.of(new SwitchingLockEngine(List.of(engines), epochs)), LONG,
				List.of(this.events::add));
		this.switching = new EngineSwitching(this.locks, epochs);
	}

	DistributedLock get(String name) {
		return this.locks.get(name);
	}

	DistributedLock get(String name, LockOptions options) {
		return this.locks.get(name, options);
	}

	LockEvent event(LockEvent.Type type) {
		await().until(() -> this.events.stream().anyMatch((event) -> event.type() == type));
		return this.events.stream().filter((event) -> event.type() == type).findFirst().orElseThrow();
	}

	<T extends @Nullable Object> Future<T> inBackground(Callable<T> task) {
		return this.threads.submit(task);
	}

	/**
	 * Starts on another thread, and waits until that has nothing left to do but wait.
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
