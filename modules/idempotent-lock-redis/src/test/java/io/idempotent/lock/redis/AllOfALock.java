package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Everything that two nodes can do with a lock, once.
 */
final class AllOfALock {

	private static final Duration LEASE = Duration.ofSeconds(20);

	/** Less than the five seconds after which a waiting thread asks again. */
	private static final Duration SOON = Duration.ofSeconds(4);

	private AllOfALock() {
	}

	/**
	 * Takes, waits, inspects, renews and releases, by turns and not.
	 * @param one a node
	 * @param other another node
	 * @throws LockUnavailableException if anything of that is refused
	 */
	static void use(LockEngine one, LockEngine other) throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			LockRequest request = new LockRequest("all:" + System.nanoTime(), LEASE, fair);
			LockGrant grant = requireNonNull(one.acquire(request, Duration.ZERO));
			assertThat(other.acquire(request, Duration.ofMillis(50))).isNull();
			assertThat(other.inspect(request.name()).isHeld()).isTrue();
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
			Future<@Nullable LockGrant> waiting = waitFor(other, request);
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(requireNonNull(granted(waiting)).release(Duration.ofMillis(1))).isEqualTo(GrantState.HELD);
		}
		for (boolean fair : new boolean[] { false, true }) {
			read(one, other, new LockRequest("all:" + System.nanoTime(), LEASE, fair));
		}
	}

	/**
	 * Lets a reader wait for a writer, and a writer for readers.
	 */
	private static void read(LockEngine one, LockEngine other, LockRequest request) throws Exception {
		LockRequest read = request.withMode(LockMode.READ);
		LockGrant writer = requireNonNull(one.acquire(request, Duration.ZERO));
		Future<@Nullable LockGrant> waiting = waitFor(other, read);
		assertThat(writer.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		LockGrant reader = requireNonNull(granted(waiting));
		LockGrant second = requireNonNull(one.acquire(read, Duration.ZERO));
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(other.acquire(request, Duration.ofMillis(50))).isNull();
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(other.forceRelease(request.name())).isTrue();
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
	}

	/**
	 * Lets a thread ask for a lock, and returns as soon as it waits, or has failed.
	 */
	static Future<@Nullable LockGrant> waitFor(LockEngine engine, LockRequest request) {
		AtomicReference<Thread> waiter = new AtomicReference<>();
		ExecutorService thread = Executors.newSingleThreadExecutor();
		Future<@Nullable LockGrant> waiting = thread.submit(() -> {
			waiter.set(Thread.currentThread());
			return engine.acquire(request, Duration.ofSeconds(10));
		});
		thread.shutdown();
		await().until(() -> waiting.isDone() || isWaiting(waiter.get()));
		return waiting;
	}

	/**
	 * Releases a lock for which a thread waits, and fails if that thread had to ask again
	 * by itself. A machine may stand still in one turn, but not in each of them.
	 * @return its grant, which is released
	 */
	static LockGrant assertWoken(Callable<Future<@Nullable LockGrant>> release) throws Exception {
		List<Duration> waits = new ArrayList<>();
		while (waits.size() < 3) {
			Future<@Nullable LockGrant> waiting = release.call();
			long start = System.nanoTime();
			LockGrant grant = requireNonNull(granted(waiting));
			waits.add(Duration.ofNanos(System.nanoTime() - start));
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			if (waits.get(waits.size() - 1).compareTo(SOON) < 0) {
				return grant;
			}
		}
		throw new AssertionError("Nothing woke the waiting thread: " + waits);
	}

	private static boolean isWaiting(@Nullable Thread thread) {
		return thread != null && Arrays.stream(thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals(Semaphore.class.getName()));
	}

	private static @Nullable LockGrant granted(Future<@Nullable LockGrant> waiting) throws Exception {
		try {
			return waiting.get(20, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof LockUnavailableException unavailable) ? unavailable : ex;
		}
	}

}
