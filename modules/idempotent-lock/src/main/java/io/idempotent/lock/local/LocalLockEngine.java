package io.idempotent.lock.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * Locks in the memory of this JVM, which exclude the threads of this JVM only. There are
 * no leases, since holder and lock end together. A lock occupies memory only while it is
 * held. Tokens start again with each JVM.
 */
public final class LocalLockEngine implements LockEngine {

	private final ConcurrentMap<String, CompletableFuture<Void>> held = new ConcurrentHashMap<>();

	private final AtomicLong tokens = new AtomicLong();

	@Override
	public String name() {
		return "local";
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			return acquire(request, wait, waiting);
		}
	}

	private @Nullable LockGrant acquire(LockRequest request, Duration wait, InterruptibleWait waiting)
			throws InterruptedException {
		CompletableFuture<Void> own = new CompletableFuture<>();
		long end = System.nanoTime() + wait.toNanos();
		CompletableFuture<Void> other = this.held.putIfAbsent(request.name(), own);
		while (other != null) {
			long left = end - System.nanoTime();
			if (left <= 0 || !isReleased(other, left, waiting)) {
				return null;
			}
			other = this.held.putIfAbsent(request.name(), own);
		}
		return new Grant(request.name(), own, this.tokens.incrementAndGet());
	}

	private static boolean isReleased(CompletableFuture<Void> grant, long nanos, InterruptibleWait waiting)
			throws InterruptedException {
		try {
			waiting.get(grant, nanos);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The release of a local lock failed", ex);
		}
	}

	private final class Grant implements LockGrant {

		private final String name;

		private final CompletableFuture<Void> released;

		private final long token;

		Grant(String name, CompletableFuture<Void> released, long token) {
			this.name = name;
			this.released = released;
			this.token = token;
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public @Nullable Duration lease() {
			return null;
		}

		@Override
		public Ownership renew(Duration lease) {
			return (LocalLockEngine.this.held.get(this.name) == this.released) ? Ownership.HELD : Ownership.LOST;
		}

		@Override
		public Ownership release(Duration stayLocked) {
			if (stayLocked.isZero()) {
				return free();
			}
			Ownership ownership = renew(Duration.ZERO);
			CompletableFuture.delayedExecutor(stayLocked.toNanos(), TimeUnit.NANOSECONDS).execute(this::free);
			return ownership;
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			CompletableFuture<Void> nextReleased = new CompletableFuture<>();
			if (!LocalLockEngine.this.held.replace(this.name, this.released, nextReleased)) {
				return null;
			}
			// Threads that wait for this grant now wait for the next one.
			this.released.complete(null);
			return new Grant(this.name, nextReleased, LocalLockEngine.this.tokens.incrementAndGet());
		}

		private Ownership free() {
			boolean held = LocalLockEngine.this.held.remove(this.name, this.released);
			this.released.complete(null);
			return held ? Ownership.HELD : Ownership.LOST;
		}

	}

}
