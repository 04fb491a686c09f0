package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;

/**
 * What a server of locks with leases does, in memory, with the defects that are asked
 * for.
 */
final class LeasedMemory {

	private final Map<String, Entry> entries = new HashMap<>();

	private final Map<String, List<Entry>> readers = new HashMap<>();

	private final List<Ticket> waiting = new ArrayList<>();

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

	private @Nullable Entry current(String name) {
		Entry entry = this.entries.get(name);
		return (entry != null && !entry.hasEnded()) ? entry : null;
	}

	private List<Entry> readers(String name) {
		List<Entry> readers = this.readers.computeIfAbsent(name, (key) -> new ArrayList<>());
		boolean oneLease = has(Defect.ONE_LEASE_FOR_READERS) && !readers.stream().allMatch(Entry::hasEnded);
		readers.removeIf((reader) -> reader.hasEnded() && !oneLease);
		return readers;
	}

	private @Nullable Entry take(LockRequest request, Ticket ticket) {
		if (has(Defect.CHECK_THEN_SET) || (has(Defect.CHECK_THEN_READ) && ticket.mode == LockMode.READ)) {
			synchronized (this) {
				if (!admits(request.name(), ticket)) {
					return null;
				}
			}
			LockSupport.parkNanos(has(Defect.CHECK_THEN_SET) ? 200_000 : 2_000_000);
			synchronized (this) {
				return set(request);
			}
		}
		synchronized (this) {
			if (!admits(request.name(), ticket)) {
				return null;
			}
			this.waiting.remove(ticket);
			return set(request);
		}
	}

	private boolean admits(String name, Ticket ticket) {
		if (has(Defect.CHECK_THEN_READ) && ticket.mode == LockMode.READ) {
			return current(name) == null;
		}
		List<LockMode> before = this.waiting.stream()
			.takeWhile((other) -> other != ticket || has(Defect.WRITERS_FIRST))
			.filter((other) -> other.name.equals(name))
			.map((other) -> other.mode)
			.toList();
		boolean free = current(name) == null;
		if (ticket.mode == LockMode.READ) {
			boolean alone = readers(name).isEmpty() || !has(Defect.READERS_EXCLUDE_READERS);
			boolean first = !before.contains(LockMode.WRITE) || has(Defect.WRITERS_WAIT_UNSEEN);
			return (free || has(Defect.READERS_IGNORE_WRITERS)) && alone && first;
		}
		boolean unread = readers(name).isEmpty() || has(Defect.WRITERS_IGNORE_READERS);
		return free && unread && (!before.contains(LockMode.READ) || has(Defect.WRITERS_FIRST));
	}

	private synchronized Ticket join(LockRequest request, boolean waits) {
		Ticket ticket = new Ticket(request.name(), request.mode());
		if (waits) {
			this.waiting.add(ticket);
		}
		return ticket;
	}

	private synchronized void leave(Ticket ticket) {
		if (!has(Defect.WAITS_AFTER_GIVING_UP)) {
			this.waiting.remove(ticket);
		}
	}

	private Entry set(LockRequest request) {
		if (request.mode() == LockMode.READ) {
			return setReader(request.name(), endOf(request.lease()));
		}
		Entry entry = new Entry(request.name(), LockMode.WRITE, ++this.tokens, endOf(request.lease()));
		this.entries.put(request.name(), entry);
		return entry;
	}

	private Entry setReader(String name, long endsAt) {
		Entry entry = new Entry(name, LockMode.READ, 0, endsAt);
		readers(name).add(entry);
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

	private @Nullable Entry owned(Entry mine, Defect careless) {
		if (mine.mode == LockMode.READ) {
			return readers(mine.name).contains(mine) ? mine : null;
		}
		Entry entry = current(mine.name);
		return (entry == mine || has(careless)) ? entry : null;
	}

	private synchronized GrantState renew(Entry mine, Duration lease) {
		Entry entry = owned(mine, Defect.RENEW_WITHOUT_OWNER);
		boolean revived = has(Defect.RENEW_BRINGS_BACK) || (has(Defect.FORCED_RELEASE_KEEPS_GRANT) && mine.taken);
		if (entry == null && mine.mode == LockMode.WRITE && revived) {
			entry = mine;
			this.entries.putIfAbsent(mine.name, mine);
		}
		if (entry == null || (entry.released && !has(Defect.RENEW_AFTER_RELEASE))) {
			return GrantState.LOST;
		}
		entry.endsAt = endOf(lease);
		return GrantState.HELD;
	}

	private synchronized GrantState release(Entry mine, Duration stayLocked) {
		Entry entry = owned(mine, Defect.RELEASE_WITHOUT_OWNER);
		if (entry == null || entry.released) {
			return GrantState.LOST;
		}
		entry.released = true;
		if (!stayLocked.isZero() && !has(Defect.RELEASE_AT_ONCE)) {
			entry.endsAt = endOf(stayLocked);
		}
		else if (mine.mode == LockMode.WRITE) {
			this.entries.remove(mine.name);
		}
		else if (has(Defect.READER_FREES_ALL)) {
			readers(mine.name).clear();
		}
		else {
			readers(mine.name).remove(mine);
		}
		return GrantState.HELD;
	}

	private synchronized LockState inspect(String name) {
		Entry writer = has(Defect.INSPECTION_SHOWS_ENDED) ? this.entries.get(name) : current(name);
		if (writer != null && has(Defect.INSPECTION_RENEWS)) {
			this.entries.put(name, new Entry(name, writer.mode, writer.token, writer.endsAt));
		}
		List<LockHolder> holders = Stream.concat(Stream.ofNullable(writer), readers(name).stream())
			.limit(has(Defect.INSPECTION_SHOWS_ONE_READER) ? 1 : LockState.MAX_HOLDERS)
			.map((entry) -> new LockHolder(null, null, null, entry.mode, null,
					Duration.ofNanos(entry.endsAt - System.nanoTime())))
			.toList();
		return new LockState(holders, this.waiting.size(), null);
	}

	private synchronized boolean forceRelease(String name) {
		Entry writer = current(name);
		boolean held = writer != null || !readers(name).isEmpty();
		if (has(Defect.FORCED_RELEASE_RESETS_TOKEN)) {
			this.tokens = 0;
		}
		if (writer != null) {
			writer.taken = true;
			this.entries.remove(name);
		}
		if (!has(Defect.FORCED_RELEASE_KEEPS_READERS)) {
			readers(name).clear();
		}
		return held || has(Defect.FORCED_RELEASE_ALWAYS_DONE);
	}

	/**
	 * A defect of an engine.
	 */
	enum Defect {

		CHECK_THEN_SET, RELEASE_WITHOUT_OWNER, RENEW_WITHOUT_OWNER, RENEW_BRINGS_BACK, RENEW_AFTER_RELEASE,
		RELEASE_AT_ONCE, TOKEN_READ_AGAIN, INTERRUPTED_GRANT_LEFT, ANY_WAIT_INTERRUPTIBLE, PASS_ON_WITHOUT_OWNER,
		PASS_ON_AS_IT_IS, CHECK_THEN_READ, READERS_IGNORE_WRITERS, WRITERS_IGNORE_READERS, READERS_EXCLUDE_READERS,
		ONE_LEASE_FOR_READERS, READER_FREES_ALL, WRITERS_WAIT_UNSEEN, WAITS_AFTER_GIVING_UP, WRITERS_FIRST,
		FORCED_RELEASE_KEEPS_READERS, FORCED_RELEASE_KEEPS_GRANT, FORCED_RELEASE_RESETS_TOKEN,
		FORCED_RELEASE_ALWAYS_DONE, INSPECTION_RENEWS, INSPECTION_SHOWS_ENDED, INSPECTION_SHOWS_ONE_READER

	}

	/**
	 * The place of a request that waits. It equals no other, as its request does not.
	 */
	private static final class Ticket {

		private final String name;

		private final LockMode mode;

		private Ticket(String name, LockMode mode) {
			this.name = name;
			this.mode = mode;
		}

	}

	private static final class Entry {

		private final String name;

		private final LockMode mode;

		private final long token;

		private long endsAt;

		private boolean released;

		/** Whether it was taken away by force. */
		private boolean taken;

		private Entry(String name, LockMode mode, long token, long endsAt) {
			this.name = name;
			this.mode = mode;
			this.token = token;
			this.endsAt = endsAt;
		}

		private boolean hasEnded() {
			return this.endsAt - System.nanoTime() <= 0;
		}

	}

	private final class Client implements LockEngine {

		@Override
		public String name() {
			return "memory";
		}

		@Override
		public boolean supports(LockMode mode) {
			return true;
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			try (InterruptibleWait waiting = waiting(request)) {
				Ticket ticket = join(request, !wait.isZero());
				try {
					return acquire(request, ticket, wait, waiting);
				}
				finally {
					leave(ticket);
				}
			}
		}

		@Override
		public LockState inspect(String name) {
			return LeasedMemory.this.inspect(name);
		}

		@Override
		public boolean forceRelease(String name) {
			return LeasedMemory.this.forceRelease(name);
		}

		private InterruptibleWait waiting(LockRequest request) throws InterruptedException {
			if (has(Defect.INTERRUPTED_GRANT_LEFT)) {
				return InterruptibleWait.throughInterrupts();
			}
			return InterruptibleWait.of(has(Defect.ANY_WAIT_INTERRUPTIBLE)
					? new LockRequest(request.name(), request.lease(), request.fair()).withMode(request.mode())
					: request);
		}

		private @Nullable LockGrant acquire(LockRequest request, Ticket ticket, Duration wait,
				InterruptibleWait waiting) throws InterruptedException {
			long end = System.nanoTime() + wait.toNanos();
			Entry entry = take(request, ticket);
			while (entry == null) {
				if (end - System.nanoTime() <= 0) {
					return null;
				}
				waiting.await(1_000_000, (left) -> {
					TimeUnit.NANOSECONDS.sleep(left);
					return false;
				});
				entry = take(request, ticket);
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
				return (has(Defect.TOKEN_READ_AGAIN) && this.entry.mode == LockMode.WRITE) ? LeasedMemory.this.tokens
						: this.entry.token;
			}
		}

		@Override
		public Duration lease() {
			return this.lease;
		}

		@Override
		public GrantState renew(Duration lease) {
			return LeasedMemory.this.renew(this.entry, lease);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			return LeasedMemory.this.release(this.entry, stayLocked);
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			Entry passed = LeasedMemory.this.handOff(this.entry, next);
			return (passed != null) ? new Grant(passed, next.lease()) : null;
		}

	}

}
