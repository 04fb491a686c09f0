package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.local.LocalLockEngine;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks with leases in memory, unless a script says otherwise. No lease ends by
 * itself.
 */
final class MemoryEngine implements LockEngine {

	final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	private final LocalLockEngine locks = new LocalLockEngine();

	private final String name;

	private boolean shares;

	private final Queue<Acquire> script = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	MemoryEngine(String name) {
		this.name = name;
	}

	MemoryEngine thatShares() {
		this.shares = true;
		return this;
	}

	void next(Acquire acquire) {
		this.script.add(acquire);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean supports(LockMode mode) {
		return mode == LockMode.WRITE || this.shares;
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		InterruptibleWait.of(request).close();
		this.requests.add(request);
		Acquire scripted = this.script.poll();
		if (scripted != null) {
			return scripted.acquire(request, wait);
		}
		this.waiting.incrementAndGet();
		try {
			LockGrant granted = this.locks.acquire(request, wait);
			return (granted != null) ? new MemoryGrant(granted, request.lease()) : null;
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	int waiting() {
		return this.waiting.get();
	}

	boolean isTaken(String lock) {
		return this.locks.inspect(lock).isHeld();
	}

	/**
	 * Takes a free lock, without a request.
	 */
	MemoryGrant grant(LockRequest request) throws InterruptedException {
		return new MemoryGrant(Objects.requireNonNull(this.locks.acquire(request, Duration.ZERO)), request.lease());
	}

	interface Acquire {

		@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException;

	}

	/**
	 * A grant that the server may forget.
	 */
	static final class MemoryGrant implements LockGrant {

		private final LockGrant grant;

		private final Duration lease;

		private boolean fails;

		private MemoryGrant(LockGrant grant, Duration lease) {
			this.grant = grant;
			this.lease = lease;
		}

		/**
		 * Its next release throws an {@code Error}, as where the stack is used up.
		 */
		MemoryGrant failingOnce() {
			this.fails = true;
			return this;
		}

		/**
		 * The server forgets it.
		 */
		void vanish() {
			this.grant.release(Duration.ZERO);
		}

		@Override
		public long token() {
			return this.grant.token();
		}

		@Override
		public Duration lease() {
			return this.lease;
		}

		@Override
		public GrantState renew(Duration lease) {
			return this.grant.renew(lease);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			if (this.fails) {
				this.fails = false;
				throw new StackOverflowError();
			}
			return this.grant.release(stayLocked);
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			LockGrant other = this.grant.handOff(next);
			return (other != null) ? new MemoryGrant(other, next.lease()) : null;
		}

	}

}
