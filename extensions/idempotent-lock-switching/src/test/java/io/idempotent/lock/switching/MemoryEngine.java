package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks with leases in memory, unless a script says otherwise. No lease ends by
 * itself.
 */
final class MemoryEngine implements LockEngine {

	final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	private final String name;

	private boolean shares;

	private final Map<String, MemoryGrant> held = new HashMap<>();

	private final Queue<Acquire> script = new ArrayDeque<>();

	private final AtomicLong tokens = new AtomicLong();

	private final AtomicInteger waiting = new AtomicInteger();

	MemoryEngine(String name) {
		this.name = name;
	}

	/**
	 * It grants shared locks, without regard to writers.
	 */
	MemoryEngine thatShares() {
		this.shares = true;
		return this;
	}

	synchronized void next(Acquire acquire) {
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
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			this.requests.add(request);
			Acquire scripted = nextInScript();
			return (scripted != null) ? scripted.acquire(request, wait) : waitFor(request, wait, waiting);
		}
	}

	private synchronized @Nullable Acquire nextInScript() {
		return this.script.poll();
	}

	private synchronized @Nullable MemoryGrant waitFor(LockRequest request, Duration wait, InterruptibleWait waiting)
			throws InterruptedException {
		this.waiting.incrementAndGet();
		try {
			return waiting.await(wait.toNanos(), (left) -> awaitFree(request, left)) ? grant(request) : null;
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	private synchronized boolean awaitFree(LockRequest request, long nanos) throws InterruptedException {
		long end = System.nanoTime() + nanos;
		while (request.mode() == LockMode.WRITE && isTaken(request.name())) {
			long left = (end - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				return false;
			}
			wait(left);
		}
		return true;
	}

	int waiting() {
		return this.waiting.get();
	}

	synchronized boolean isTaken(String name) {
		return this.held.containsKey(name);
	}

	synchronized MemoryGrant grant(LockRequest request) {
		long token = this.tokens.incrementAndGet();
		String key = request.name() + ((request.mode() == LockMode.READ) ? "#" + token : "");
		MemoryGrant grant = new MemoryGrant(request, token, key);
		this.held.put(key, grant);
		return grant;
	}

	private synchronized LockGrant.GrantState free(MemoryGrant grant) {
		boolean freed = this.held.remove(grant.key, grant);
		notifyAll();
		return freed ? LockGrant.GrantState.HELD : LockGrant.GrantState.LOST;
	}

	private synchronized LockGrant.GrantState stateOf(MemoryGrant grant) {
		return (this.held.get(grant.key) == grant) ? LockGrant.GrantState.HELD : LockGrant.GrantState.LOST;
	}

	interface Acquire {

		@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException;

	}

	/**
	 * A grant that the server may forget.
	 */
	final class MemoryGrant implements LockGrant {

		private final LockRequest request;

		private final long token;

		private final String key;

		private boolean fails;

		private MemoryGrant(LockRequest request, long token, String key) {
			this.request = request;
			this.token = token;
			this.key = key;
		}

		/**
		 * Its next release or downgrade throws an {@code Error}, as where the stack is
		 * used up.
		 */
		MemoryGrant failingOnce() {
			this.fails = true;
			return this;
		}

		private void failOnce() {
			if (this.fails) {
				this.fails = false;
				throw new StackOverflowError();
			}
		}

		/**
		 * The server forgets it.
		 */
		void vanish() {
			free(this);
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public Duration lease() {
			return this.request.lease();
		}

		@Override
		public GrantState renew(Duration lease) {
			return stateOf(this);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			failOnce();
			return free(this);
		}

		@Override
		public @Nullable LockGrant downgrade() {
			failOnce();
			return (free(this) == GrantState.HELD) ? grant(this.request.withMode(LockMode.READ)) : null;
		}

	}

}
