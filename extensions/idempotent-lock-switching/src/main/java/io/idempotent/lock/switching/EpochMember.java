package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.EpochDocument.Member;
import io.idempotent.lock.switching.EpochDocument.PendingSwitch;
import io.idempotent.lock.switching.EpochRules.SwitchCommand;
import org.jspecify.annotations.Nullable;

/**
 * This node among those that agree on an engine. In each round it reads the document,
 * follows it, and if necessary writes its own entry, together with a change that the
 * rules allow. It never grants a lock on the basis of a read alone: only a successful
 * write starts or extends a term. Rounds are run by one thread.
 */
final class EpochMember {

	private static final int ATTEMPTS = 20;

	/** The longest pause after the first conflicting write; it grows with each one. */
	private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

	/** Longer than any JVM runs. */
	private static final long FOREVER = Long.MAX_VALUE / 4;

	private final SharedEntry store;

	private final SwitchSettings settings;

	private final List<String> engines;

	private final EngineHealth health;

	private final EpochRules rules;

	private final LongSupplier clock;

	private final Random random;

	private final LongConsumer pause;

	private final Runnable drained;

	private final EpochObserver observer = new EpochObserver();

	/** The entry that this node last wrote, or tried to write. */
	private Member self;

	private long lastBeat;

	private long highestEpoch;

	private long highestVersion;

	private volatile @Nullable EpochDocument document;

	private volatile @Nullable EpochTerm term;

	/**
	 * Does nothing before its first round. The clock is as {@link System#nanoTime()},
	 * pauses are in nanoseconds, and {@code drained} is called when the last lock was
	 * left during a switch.
	 */
	EpochMember(SharedEntry store, SwitchSettings settings, List<String> engines, EngineHealth health,
			String description, LongSupplier clock, Random random, LongConsumer pause, Runnable drained) {
		this.store = store;
		this.settings = settings;
		this.engines = List.copyOf(engines);
		this.health = health;
		this.rules = new EpochRules(settings, this.engines);
		this.clock = clock;
		this.random = random;
		this.pause = pause;
		this.drained = drained;
		this.self = new Member(Long.toHexString(newId()), description, 0, settings.lease(), 0, 0, this.engines,
				Set.of(), Set.of());
	}

	@Nullable EpochDocument document() {
		return this.document;
	}

	@Nullable EpochTerm term() {
		return this.term;
	}

	/** Runs a round, and fails if the authority cannot be asked. */
	void round(@Nullable SwitchCommand command) {
		for (int i = 1; i <= ATTEMPTS; i++) {
			if (attempt(command)) {
				return;
			}
			this.pause.accept(this.random.nextLong(FIRST_PAUSE.toNanos() * i));
		}
		throw new LockUnavailableException("The lock engine in force cannot be agreed on: other nodes have written "
				+ ATTEMPTS + " times between a read and a write of this one", null);
	}

	private boolean attempt(@Nullable SwitchCommand command) {
		long started = this.clock.getAsLong();
		SharedEntry.Value entry = this.store.read();
		EpochDocument read = recover(entry);
		this.observer.observe(read, this.clock.getAsLong());
		follow(read);
		Member own = own(read);
		EpochDocument present = read.without(this.observer.expired(read, started)).with(own);
		EpochDocument next = this.rules.next(present, this.observer, command, started, newId());
		if (!isToBeWritten(next, read, own, started)) {
			noteRead(read, entry.version());
			return true;
		}
		this.self = own;
		if (!this.store.write(entry.version(), EpochCodec.encode(next))) {
			return false;
		}
		noteRead(next, entry.version() + 1);
		this.lastBeat = started;
		apply(next, started);
		return true;
	}

	/**
	 * Leaves the other nodes, so that no switch waits for this one. Does nothing if this
	 * node holds locks: then its entry expires.
	 */
	void leave() {
		EpochTerm current = this.term;
		if (current != null) {
			current.drain();
			if (!current.isDrained()) {
				return;
			}
			current.end();
		}
		boolean left = false;
		for (int i = 1; i <= ATTEMPTS && !left; i++) {
			SharedEntry.Value entry = this.store.read();
			left = entry.version() == 0 || removeSelf(entry);
		}
	}

	private boolean removeSelf(SharedEntry.Value entry) {
		EpochDocument read = EpochCodec.decode(entry.text());
		return !read.members().containsKey(this.self.id())
				|| this.store.write(entry.version(), EpochCodec.encode(read.without(Set.of(this.self.id()))));
	}

	/**
	 * The document that was read. If the authority has lost a later one, or may have lost
	 * one, a switch to the same engine that settles first: until it is completed, nodes
	 * of the lost document have joined this one, or their leases have ended.
	 */
	private EpochDocument recover(SharedEntry.Value entry) {
		EpochDocument read = (entry.version() != 0) ? EpochCodec.decode(entry.text()) : null;
		boolean rolledBack = this.store.mayForget() && entry.version() < this.highestVersion;
		if (read != null && read.epoch() >= this.highestEpoch && !rolledBack) {
			return read;
		}
		String engine = engineBefore(read);
		if (read == null && this.highestEpoch == 0 && !this.store.mayForget()) {
			return new EpochDocument(1, engine, null, Map.of());
		}
		long epoch = Math.max(Math.max(this.highestEpoch, 1), (read != null) ? read.epoch() : 1);
		return new EpochDocument(epoch, engine,
				new PendingSwitch(newId(), engine, true, "the authority has no entry, or has lost the latest one"),
				(read != null) ? read.members() : Map.of());
	}

	private String engineBefore(@Nullable EpochDocument read) {
		EpochDocument known = this.document;
		if (known != null) {
			return known.engine();
		}
		return (read != null) ? read.engine() : this.engines.get(0);
	}

	/** Before anything is written, so that the confirmation stays true. */
	private void follow(EpochDocument read) {
		EpochTerm current = this.term;
		if (current == null) {
			return;
		}
		boolean removed = !read.members().containsKey(this.self.id()) && !keepsGranting();
		if (removed || read.epoch() != current.epoch()) {
			current.end();
			this.term = null;
		}
		else if (read.pending() != null) {
			current.drain();
		}
	}

	private Member own(EpochDocument read) {
		EpochTerm current = this.term;
		PendingSwitch pending = read.pending();
		boolean confirmed = pending != null && (current == null || current.isDrained());
		return this.self.next((current != null) ? current.holds() : 0,
				(pending != null && confirmed) ? pending.id() : 0, known(this.health.failing()),
				known(this.health.recovered()));
	}

	private Set<String> known(Set<String> names) {
		Set<String> known = new LinkedHashSet<>(this.engines);
		known.retainAll(names);
		return known;
	}

	private boolean isToBeWritten(EpochDocument next, EpochDocument read, Member own, long now) {
		Member written = read.members().get(own.id());
		if (written == null || !written.saysTheSameAs(own)) {
			return true;
		}
		if (read.pending() != null && written.holds() != own.holds()) {
			// Operators see what a switch waits for.
			return true;
		}
		Set<String> id = Set.of(own.id());
		if (!next.without(id).equals(read.without(id))) {
			return true;
		}
		EpochTerm current = this.term;
		boolean toBeOpened = next.pending() == null && this.engines.contains(next.engine())
				&& (current == null || !current.isOpen());
		return toBeOpened || now - this.lastBeat >= this.settings.nanosToNextBeat();
	}

	/** The version may be a lower one if this node has created the document. */
	private void noteRead(EpochDocument latest, long version) {
		this.document = latest;
		this.highestEpoch = Math.max(this.highestEpoch, latest.epoch());
		this.highestVersion = version;
	}

	/** The write of this node has taken effect. */
	private void apply(EpochDocument next, long started) {
		long endsAt = started + (keepsGranting() ? FOREVER : this.settings.lease().toNanos());
		EpochTerm current = this.term;
		if (current != null && (current.epoch() != next.epoch() || !current.extend(endsAt))) {
			current.end();
			current = null;
		}
		if (next.pending() != null) {
			if (current != null) {
				current.drain();
			}
		}
		else if (current != null) {
			current.reopen();
		}
		else if (this.engines.contains(next.engine())) {
			current = new EpochTerm(next.epoch(), next.engine(), endsAt, this.clock, this.drained);
		}
		this.term = current;
	}

	private boolean keepsGranting() {
		return this.settings.authorityAway() == WhenAuthorityAway.KEEP_GRANTING;
	}

	/** A number other than 0 that no other node chooses. */
	private long newId() {
		return this.random.nextLong(1, Long.MAX_VALUE);
	}

}
