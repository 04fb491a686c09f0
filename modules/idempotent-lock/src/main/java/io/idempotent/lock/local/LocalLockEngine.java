package io.idempotent.lock.local;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.local.LocalLock.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Locks in the memory of this JVM, which exclude the threads of this JVM only. There are
 * no leases, since holder and lock end together. Threads that wait are served in turn,
 * readers up to the next writer together. A lock occupies memory only while it is held or
 * waited for. Tokens start again with each JVM.
 */
public final class LocalLockEngine implements LockEngine {

	/** Guards the fields below; held for a few instructions. */
	private final ReentrantLock guard = new ReentrantLock();

	private final Map<String, LocalLock> locks = new HashMap<>();

	private long lastToken;

	@Override
	public String name() {
		return "local";
	}

	@Override
	public boolean supports(LockMode mode) {
		return true;
	}

	@Override
	public LockState inspect(String name) {
		return in(name, LocalLock::state);
	}

	@Override
	public boolean forceRelease(String name) {
		return in(name, LocalLock::releaseAll);
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			Grant grant = in(request.name(), (lock) -> lock.tryTake(request.mode()));
			return (grant != null || wait.isZero()) ? grant : await(request, wait, waiting);
		}
	}

	private @Nullable Grant await(LockRequest request, Duration wait, InterruptibleWait waiting)
			throws InterruptedException {
		Waiter waiter = in(request.name(), (lock) -> lock.await(request.mode()));
		boolean granted = false;
		try {
			Grant grant = waiting.get(waiter.grant(), wait.toNanos());
			granted = true;
			return grant;
		}
		catch (TimeoutException ex) {
			return null;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The release of a local lock failed", ex);
		}
		finally {
			if (!granted) {
				in(request.name(), (lock) -> lock.giveUp(waiter));
			}
		}
	}

	private <T extends @Nullable Object> T in(String name, Function<LocalLock, T> change) {
		this.guard.lock();
		try {
			LocalLock lock = this.locks.computeIfAbsent(name, (key) -> new LocalLock((mode) -> new Grant(key, mode)));
			T result = change.apply(lock);
			if (lock.isUnused()) {
				this.locks.remove(name);
			}
			return result;
		}
		finally {
			this.guard.unlock();
		}
	}

	/** Compared by identity. Created and ended by its lock. */
	final class Grant implements LockGrant {

		private final String name;

		private final LockMode mode;

		private final long token;

		private volatile boolean ended;

		private Grant(String name, LockMode mode) {
			this.name = name;
			this.mode = mode;
			this.token = (mode == LockMode.WRITE) ? ++LocalLockEngine.this.lastToken : 0;
		}

		LockMode mode() {
			return this.mode;
		}

		void end() {
			this.ended = true;
		}

		LockHolder holder() {
			return new LockHolder(null, null, true, this.mode, (this.mode == LockMode.WRITE) ? this.token : null, null);
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public Duration lease() {
			return FOREVER;
		}

		@Override
		public boolean isValid() {
			return !this.ended;
		}

		@Override
		public GrantState renew(Duration lease) {
			return GrantState.of(in(this.name, (lock) -> lock.isHeld(this)));
		}

		@Override
		public GrantState release(Duration stayLocked) {
			if (stayLocked.isZero()) {
				return free();
			}
			GrantState state = renew(Duration.ZERO);
			CompletableFuture.delayedExecutor(stayLocked.toNanos(), TimeUnit.NANOSECONDS).execute(this::free);
			return state;
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			return in(this.name, (lock) -> lock.handOff(this));
		}

		private GrantState free() {
			return GrantState.of(in(this.name, (lock) -> lock.release(this)));
		}

	}

}
