package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks in memory, unless a script says otherwise. Nothing ends by itself here:
 * what a lease is worth is decided by the code under test.
 */
public final class FakeEngine implements LockEngine {

	private final String name;

	private final boolean leases;

	private boolean passesOn;

	private boolean queuesWaiters;

	private boolean shares;

	private final Map<String, FakeGrant> held = new HashMap<>();

	private final Queue<Acquire> script = new ConcurrentLinkedQueue<>();

	private final AtomicLong tokens = new AtomicLong();

	private final AtomicInteger waiting = new AtomicInteger();

	final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	final List<Duration> waits = new CopyOnWriteArrayList<>();

	final List<FakeGrant> grants = new CopyOnWriteArrayList<>();

	volatile @Nullable ConnectionObserver observer;

	private FakeEngine(String name, boolean leases) {
		this.name = name;
		this.leases = leases;
	}

	public static FakeEngine withLeases(String name) {
		return new FakeEngine(name, true);
	}

	public static FakeEngine withoutLeases(String name) {
		return new FakeEngine(name, false);
	}

	FakeEngine thatPassesOn() {
		this.passesOn = true;
		return this;
	}

	/**
	 * Those who wait for it stand in a line.
	 */
	FakeEngine thatKeepsALine() {
		this.queuesWaiters = true;
		return this;
	}

	/**
	 * It grants shared locks, without regard to writers.
	 */
	FakeEngine thatShares() {
		this.shares = true;
		return this;
	}

	@Override
	public boolean supports(LockMode mode) {
		return mode == LockMode.WRITE || this.shares;
	}

	@Override
	public boolean queuesWaiters() {
		return this.queuesWaiters;
	}

	/** The next attempt fails. */
	FakeEngine fail(Throwable failure) {
		return next((request, wait) -> sneak(failure));
	}

	@SuppressWarnings("unchecked")
	private static <R, X extends Throwable> R sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	public FakeEngine next(Acquire acquire) {
		this.script.add(acquire);
		return this;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void observe(ConnectionObserver observer) {
		this.observer = observer;
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			this.requests.add(request);
			this.waits.add(wait);
			Acquire scripted = this.script.poll();
			return (scripted != null) ? scripted.acquire(request, wait) : waitFor(request, wait, waiting);
		}
	}

	private synchronized @Nullable FakeGrant waitFor(LockRequest request, Duration wait, InterruptibleWait waiting)
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
		while (request.mode() == LockMode.WRITE && this.held.containsKey(request.name())) {
			long left = (end - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				return false;
			}
			wait(left);
		}
		return true;
	}

	public int waiting() {
		return this.waiting.get();
	}

	synchronized FakeGrant grant(LockRequest request) {
		FakeGrant grant = new FakeGrant(request, this.tokens.incrementAndGet());
		this.held.put(grant.key(), grant);
		this.grants.add(grant);
		return grant;
	}

	FakeGrant grant() {
		return this.grants.get(this.grants.size() - 1);
	}

	/**
	 * All grants so far are gone, and the observer hears of it.
	 */
	void endSession() {
		this.grants.forEach(FakeGrant::vanish);
		this.observer.ended((grant) -> true);
	}

	public synchronized boolean isTaken(String name) {
		return this.held.containsKey(name);
	}

	private synchronized GrantState ownership(FakeGrant grant) {
		return (this.held.get(grant.key()) == grant) ? GrantState.HELD : GrantState.LOST;
	}

	private synchronized @Nullable FakeGrant handOff(FakeGrant grant, LockRequest next) {
		return (this.passesOn && ownership(grant) == GrantState.HELD) ? grant(next) : null;
	}

	private synchronized GrantState free(FakeGrant grant) {
		GrantState ownership = ownership(grant);
		if (ownership == GrantState.HELD) {
			this.held.remove(grant.key());
			notifyAll();
		}
		return ownership;
	}

	interface Acquire {

		@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException;

	}

	/**
	 * A grant whose answers can be replaced.
	 */
	final class FakeGrant implements LockGrant {

		final LockRequest request;

		final List<Duration> renewals = new CopyOnWriteArrayList<>();

		final List<Duration> releases = new CopyOnWriteArrayList<>();

		private final long token;

		private volatile Supplier<GrantState> renewal = () -> ownership(this);

		private volatile Runnable abandonment = () -> {
		};

		private volatile Runnable timeLeftAsked = () -> {
		};

		private volatile Runnable validityAsked = () -> {
		};

		private volatile Runnable ended = () -> {
		};

		private volatile Supplier<GrantState> release = () -> free(this);

		private volatile UnaryOperator<@Nullable LockGrant> passing = UnaryOperator.identity();

		private FakeGrant(LockRequest request, long token) {
			this.request = request;
			this.token = token;
		}

		FakeGrant onRenewal(Supplier<GrantState> answer) {
			this.renewal = answer;
			return this;
		}

		FakeGrant failRenewals(Throwable failure) {
			return onRenewal(() -> sneak(failure));
		}

		FakeGrant onAbandoned(Runnable action) {
			this.abandonment = action;
			return this;
		}

		@Override
		public void abandoned() {
			this.abandonment.run();
		}

		FakeGrant onTimeLeft(Runnable action) {
			this.timeLeftAsked = action;
			return this;
		}

		@Override
		public long nanosLeft(long now) {
			this.timeLeftAsked.run();
			return Long.MAX_VALUE;
		}

		FakeGrant onValidity(Runnable action) {
			this.validityAsked = action;
			return this;
		}

		@Override
		public boolean isValid() {
			this.validityAsked.run();
			return true;
		}

		@Override
		public void whenEnded(Runnable action) {
			this.ended = action;
		}

		/**
		 * It ends by itself, as with a transaction that another thread completes.
		 */
		void end() {
			this.ended.run();
		}

		FakeGrant onRelease(Supplier<GrantState> answer) {
			this.release = answer;
			return this;
		}

		FakeGrant onPassing(UnaryOperator<@Nullable LockGrant> answer) {
			this.passing = answer;
			return this;
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			return this.passing.apply(FakeEngine.this.handOff(this, next));
		}

		private String key() {
			return this.request.name() + ((this.request.mode() == LockMode.READ) ? "#" + this.token : "");
		}

		/**
		 * The server forgets it.
		 */
		void vanish() {
			free(this);
		}

		GrantState answerSoundly() {
			return ownership(this);
		}

		GrantState releaseSoundly() {
			return free(this);
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public Duration lease() {
			return FakeEngine.this.leases ? this.request.lease() : FOREVER;
		}

		@Override
		public GrantState renew(Duration lease) {
			this.renewals.add(lease);
			return this.renewal.get();
		}

		@Override
		public GrantState release(Duration stayLocked) {
			this.releases.add(stayLocked);
			return this.release.get();
		}

	}

}
