package io.idempotent.lock.switching;

import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.EpochDocument.Member;
import org.jspecify.annotations.Nullable;

/**
 * The epochs as this node sees them: which engine is in force. A background thread keeps
 * the contact to the authority, from the start on. Safe for use by many threads.
 */
public final class Epochs implements AutoCloseable {

	private static final int LONGEST_DESCRIPTION = 64;

	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private final List<String> engines;

	private final AuthorityContact contact;

	private final EpochMember member;

	private final SwitchSettings settings;

	private final EngineHealth health;

	/** Does not contact the authority yet. The engines are in order of preference. */
	public Epochs(SharedEntry store, SwitchSettings settings, List<String> engines, EngineHealth health) {
		this.engines = List.copyOf(engines);
		String description = description();
		this.contact = new AuthorityContact((drained) -> new EpochMember(store, settings, this.engines, health,
				description, System::nanoTime, new SecureRandom(), LockSupport::parkNanos, drained), settings);
		this.member = this.contact.member();
		this.settings = settings;
		this.health = health;
	}

	/**
	 * Describes what live nodes agree on, or returns null if there are none. Waits until
	 * one of them has written, or all their leases have ended, a tenth longer, since
	 * clocks may differ in speed.
	 * @throws LockUnavailableException if the entry cannot be read, or if the thread is
	 * interrupted, which it then still is
	 */
	public static @Nullable String agreedByOthers(SharedEntry store) {
		EpochDocument first = read(store);
		if (first == null) {
			return null;
		}
		long wait = first.members().values().stream().mapToLong((member) -> member.lease().toNanos()).max().orElse(0);
		long start = System.nanoTime();
		while (System.nanoTime() - start < wait / 10 * 11) {
			LockSupport.parkNanos(POLL_INTERVAL);
			if (Thread.currentThread().isInterrupted()) {
				throw new LockUnavailableException("Interrupted while waiting for other nodes", null);
			}
			EpochDocument latest = read(store);
			if (latest == null) {
				return null;
			}
			if (!first.members().values().containsAll(latest.members().values())) {
				return "now '" + latest.engine() + "', epoch " + latest.epoch() + ": "
						+ latest.members().values().stream().map(Member::description).sorted().toList();
			}
		}
		return null;
	}

	private static @Nullable EpochDocument read(SharedEntry store) {
		String text = store.read().text();
		return text.isEmpty() ? null : EpochCodec.decode(text);
	}

	private static String description() {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		return name.substring(0, Math.min(name.length(), LONGEST_DESCRIPTION));
	}

	/**
	 * Joins the nodes that agree on an engine, in the background: a node that does not
	 * follow them can notice, even if no lock has been used. The first use starts this,
	 * too.
	 */
	public void start() {
		this.contact.locked(() -> {
			this.contact.requireRunning();
			return true;
		});
	}

	/** The names of the engines to switch between, in order of preference. */
	public List<String> engines() {
		return this.engines;
	}

	SwitchSettings settings() {
		return this.settings;
	}

	EngineHealth health() {
		return this.health;
	}

	AuthorityContact contact() {
		return this.contact;
	}

	/** What the nodes have agreed on, as this node last read it. */
	@Nullable EpochDocument document() {
		return this.member.document();
	}

	/** Whether there is no term in which this node may hold a lock now. */
	boolean isWithoutTerm() {
		EpochTerm term = this.member.term();
		return term == null || term.hasEnded(System.nanoTime());
	}

	/** The term in which locks are granted now, if they are. */
	@Nullable EpochTerm openTerm() {
		EpochTerm term = this.member.term();
		return (term != null && term.isOpen()) ? term : null;
	}

	/** The engine in force, as far as this node knows. */
	public String engine() {
		EpochDocument document = document();
		return (document != null) ? document.engine() : this.engines.get(0);
	}

	/**
	 * Waits until locks are granted: for the end of a switch as long as {@code nanosLeft}
	 * says, else {@code null}. Without contact, the authority is asked in any case, and
	 * has the length of a lease to respond; if it does not, this fails.
	 */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	@Nullable EpochTerm awaitTerm(LockRequest request, LongSupplier nanosLeft) throws InterruptedException {
		EpochTerm open = openTerm();
		if (open != null) {
			return open;
		}
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			return this.contact.locked(() -> awaitOpenTerm(waiting, nanosLeft));
		}
	}

	private @Nullable EpochTerm awaitOpenTerm(InterruptibleWait waiting, LongSupplier nanosLeft)
			throws InterruptedException {
		long enough = this.contact.nextWholeRound();
		while (true) {
			EpochTerm open = openTerm();
			if (open != null) {
				return open;
			}
			LockUnavailableException failed = this.contact.failure();
			boolean switching = isSwitching(failed);
			if (switching && nanosLeft.getAsLong() <= 0) {
				return null;
			}
			if (!switching && (failed != null || this.contact.rounds() >= enough)) {
				throw unavailable(failed);
			}
			this.contact.requireRunning();
			if (!switching) {
				this.contact.wake();
			}
			try {
				this.contact.awaitChange(switching ? nanosLeft.getAsLong() : Long.MAX_VALUE);
			}
			catch (InterruptedException ex) {
				waiting.interrupted(ex);
			}
		}
	}

	private boolean isSwitching(@Nullable LockUnavailableException failed) {
		EpochDocument document = document();
		return document != null && document.pending() != null && (failed == null || !isWithoutTerm());
	}

	LockUnavailableException unavailable(@Nullable LockUnavailableException failed) {
		if (failed != null) {
			return new LockUnavailableException("No lock is granted, since the authority for the lock engine in force "
					+ "cannot be reached: " + failed.getMessage(), failed);
		}
		return new LockUnavailableException(
				"No lock is granted, since the engine in force is '" + engine() + "', but this node has only "
						+ this.engines + " (idempotent.lock.engines): configure the same engines on all nodes",
				null);
	}

	/**
	 * Ends the contact to the authority. If this node holds no locks, it leaves the other
	 * nodes, for which this method waits briefly; otherwise its entry expires.
	 */
	@Override
	public void close() {
		this.contact.close();
	}

}
