package io.idempotent.test.contract;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.Ownership;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a server of locks with leases does, in memory, with the defects that are asked
 * for.
 */
final class LeasedMemory {

	private final Map<String, Entry> entries = new HashMap<>();

	private final Set<Defect> defects;

	private long tokens;

	LeasedMemory(Set<Defect> defects) {
		this.defects = defects;
	}

	LockEngine client() {
		return new Client();
	}

	private boolean has(Defect defect) {
		return this.defects.contains(defect);
	}

	private synchronized @Nullable Entry current(String name) {
		Entry entry = this.entries.get(name);
		return (entry != null && entry.endsAt - System.nanoTime() > 0) ? entry : null;
	}

	private @Nullable Entry take(LockRequest request) {
		if (current(request.name()) != null) {
			return null;
		}
		if (has(Defect.CHECK_THEN_SET)) {
			LockSupport.parkNanos(200_000);
			return set(request);
		}
		synchronized (this) {
			return (current(request.name()) == null) ? set(request) : null;
		}
	}

	private synchronized Entry set(LockRequest request) {
		Entry entry = new Entry(request.name(), ++this.tokens, endOf(request.lease()));
		this.entries.put(request.name(), entry);
		return entry;
	}

	private synchronized @Nullable Entry handOff(Entry mine, LockRequest next) {
		Entry entry = owned(mine, Defect.PASS_ON_WITHOUT_OWNER);
		if (entry == null || entry.released) {
			return null;
		}
		return has(Defect.PASS_ON_AS_IT_IS) ? entry : set(next);
	}

	private static long endOf(Duration lease) {
		return System.nanoTime() + lease.toNanos();
	}

	private synchronized @Nullable Entry owned(Entry mine, Defect careless) {
		Entry entry = current(mine.name);
		return (entry == mine || has(careless)) ? entry : null;
	}

	private synchronized Ownership renew(Entry mine, Duration lease) {
		Entry entry = owned(mine, Defect.RENEW_WITHOUT_OWNER);
		if (entry == null && has(Defect.RENEW_BRINGS_BACK)) {
			entry = mine;
			this.entries.putIfAbsent(mine.name, mine);
		}
		if (entry == null || (entry.released && !has(Defect.RENEW_AFTER_RELEASE))) {
			return Ownership.LOST;
		}
		entry.endsAt = endOf(lease);
		return Ownership.HELD;
	}

	private synchronized Ownership release(Entry mine, Duration keepFor) {
		Entry entry = owned(mine, Defect.RELEASE_WITHOUT_OWNER);
		if (entry == null || entry.released) {
			return Ownership.LOST;
		}
		entry.released = true;
		if (keepFor.isZero() || has(Defect.RELEASE_AT_ONCE)) {
			this.entries.remove(mine.name);
		}
		else {
			entry.endsAt = endOf(keepFor);
		}
		return Ownership.HELD;
	}

	/**
	 * A defect of an engine.
	 */
	enum Defect {

		CHECK_THEN_SET, RELEASE_WITHOUT_OWNER, RENEW_WITHOUT_OWNER, RENEW_BRINGS_BACK, RENEW_AFTER_RELEASE,
		RELEASE_AT_ONCE, TOKEN_READ_AGAIN, INTERRUPTED_GRANT_LEFT, ANY_WAIT_INTERRUPTIBLE, PASS_ON_WITHOUT_OWNER,
		PASS_ON_AS_IT_IS

	}

	private static final class Entry {

		private final String name;

		private final long token;

		private long endsAt;

		private boolean released;

		private Entry(String name, long token, long endsAt) {
			this.name = name;
			this.token = token;
			this.endsAt = endsAt;
		}

	}

	private final class Client implements LockEngine {

		@Override
		public String name() {
			return "memory";
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			try (InterruptibleWait waiting = waiting(request)) {
				return acquire(request, wait, waiting);
			}
		}

		private InterruptibleWait waiting(LockRequest request) throws InterruptedException {
			if (has(Defect.INTERRUPTED_GRANT_LEFT)) {
				return InterruptibleWait.throughInterrupts();
			}
			return InterruptibleWait.of(has(Defect.ANY_WAIT_INTERRUPTIBLE)
					? new LockRequest(request.name(), request.lease(), request.fair()) : request);
		}

		private @Nullable LockGrant acquire(LockRequest request, Duration wait, InterruptibleWait waiting)
				throws InterruptedException {
			long end = System.nanoTime() + wait.toNanos();
			Entry entry = take(request);
			while (entry == null) {
				long left = end - System.nanoTime();
				if (left <= 0) {
					return null;
				}
				LockSupport.parkNanos(1_000_000);
				if (Thread.interrupted()) {
					waiting.interrupted(new InterruptedException());
				}
				entry = take(request);
			}
			if (Thread.interrupted()) {
				if (request.interruptible()) {
					LeasedMemory.this.release(entry, Duration.ZERO);
				}
				waiting.interrupted(new InterruptedException());
			}
			return new Grant(entry, request.lease());
		}

	}

	private final class Grant implements LockGrant {

		private final Entry entry;

		private final Duration lease;

		private Grant(Entry entry, Duration lease) {
			this.entry = entry;
			this.lease = lease;
		}

		@Override
		public long token() {
			synchronized (LeasedMemory.this) {
				return has(Defect.TOKEN_READ_AGAIN) ? LeasedMemory.this.tokens : this.entry.token;
			}
		}

		@Override
		public Duration lease() {
			return this.lease;
		}

		@Override
		public Ownership renew(Duration lease) {
			return LeasedMemory.this.renew(this.entry, lease);
		}

		@Override
		public Ownership release(Duration keepFor) {
			return LeasedMemory.this.release(this.entry, keepFor);
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			Entry passed = LeasedMemory.this.handOff(this.entry, next);
			return (passed != null) ? new Grant(passed, next.lease()) : null;
		}

	}

}
