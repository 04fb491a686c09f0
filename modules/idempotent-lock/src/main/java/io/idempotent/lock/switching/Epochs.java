package io.idempotent.lock.switching;

import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.EngineSwitchException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.EpochStore;
import io.idempotent.lock.internal.epoch.EpochDocument;
import io.idempotent.lock.internal.epoch.EpochDocument.PendingSwitch;
import io.idempotent.lock.internal.epoch.EpochObserver;
import io.idempotent.lock.internal.epoch.Member;
import io.idempotent.lock.internal.epoch.SwitchSettings;
import org.jspecify.annotations.Nullable;

/**
 * The epochs as this node sees them: which engine is in force, and switching to another
 * one. A background thread keeps the contact to the authority, from the first use on.
 * Safe for use by many threads.
 */
public final class Epochs implements AutoCloseable {

	private static final int LONGEST_DESCRIPTION = 64;

	private final List<String> engines;

	private final AuthorityContact contact;

	private final EpochMember member;

	private final EpochSwitch switches;

	/**
	 * Creates epochs, without contact to the authority yet.
	 * @param store the register of the authority
	 * @param settings how nodes switch
	 * @param engines the engines to switch between, in order of preference
	 * @param health what this node knows of the engines
	 */
	public Epochs(EpochStore store, SwitchSettings settings, List<String> engines, EngineHealth health) {
		this(store, settings, engines, health, SwitchListener.NONE);
	}

	/**
	 * Creates epochs with a listener, without contact to the authority yet.
	 * @param store the register of the authority
	 * @param settings how nodes switch
	 * @param engines the engines to switch between, in order of preference
	 * @param health what this node knows of the engines
	 * @param listener is notified of switches that have ended
	 */
	public Epochs(EpochStore store, SwitchSettings settings, List<String> engines, EngineHealth health,
			SwitchListener listener) {
		this.engines = List.copyOf(engines);
		String description = description();
		this.contact = new AuthorityContact((drained) -> new EpochMember(store, settings, this.engines, health,
				description, System::nanoTime, new SecureRandom(), LockSupport::parkNanos, drained), settings,
				listener);
		this.member = this.contact.member();
		this.switches = new EpochSwitch(this.contact, settings, this::unavailable);
	}

	private static String description() {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		return name.substring(0, Math.min(name.length(), LONGEST_DESCRIPTION));
	}

	/**
	 * The agreement of other nodes, for a node that does not take part. Waits for a sign
	 * of life of one of them, until the leases of all would have ended.
	 * @param store the register of their authority
	 * @return the state, or {@code null} if no such node is alive
	 * @throws LockUnavailableException if the authority cannot be reached, or the thread
	 * is interrupted, which stays so
	 */
	public static @Nullable EngineStatus agreedByOthers(EpochStore store) {
		EpochDocument document = EpochObserver.documentOfOthers(store);
		return (document == null) ? null : new EngineStatus(document.engine(), document.epoch(), null,
				document.members().values().stream().map(Member::description).sorted().toList());
	}

	/**
	 * The engines to switch between.
	 * @return their names, in order of preference
	 */
	public List<String> engines() {
		return this.engines;
	}

	/**
	 * The term in which locks are granted now.
	 * @return the term, or {@code null} if none are granted
	 */
	@Nullable EpochTerm openTerm() {
		EpochTerm term = this.member.term();
		return (term != null && term.isOpen()) ? term : null;
	}

	/**
	 * The engine in force, as far as this node knows.
	 */
	public String engine() {
		EpochDocument document = this.member.document();
		return (document != null) ? document.engine() : this.engines.get(0);
	}

	/**
	 * Waits until locks are granted, such as for the end of a switch.
	 * @param nanosLeft how long to wait for the end of a switch; not for the authority,
	 * which is asked in any case if this node has no contact, and has the length of a
	 * lease to respond
	 * @param interruptible whether an interrupt ends the wait
	 * @return the term, or {@code null} if a switch is in progress for the whole time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 * @throws LockUnavailableException if the authority cannot be reached
	 */
	@Nullable EpochTerm awaitTerm(LongSupplier nanosLeft, boolean interruptible) throws InterruptedException {
		EpochTerm open = openTerm();
		if (open != null) {
			return open;
		}
		boolean interrupted = false;
		this.contact.lock().lock();
		try {
			long enough = this.contact.nextWholeRound();
			while (true) {
				open = openTerm();
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
					if (interruptible) {
						throw ex;
					}
					interrupted = true;
				}
			}
		}
		finally {
			this.contact.lock().unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private boolean isSwitching(@Nullable LockUnavailableException failed) {
		EpochDocument document = this.member.document();
		return document != null && document.pending() != null
				&& (failed == null || !EpochTerm.isNone(this.member.term()));
	}

	private LockUnavailableException unavailable(@Nullable LockUnavailableException failed) {
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
	 * Switches to an engine, and waits until all nodes have, or until the switch is
	 * called off. If the authority has lost its entry, this waits until the nodes have
	 * agreed on the engine in force again, and switches then.
	 * @param engine its name, one of {@link #engines()}
	 * @throws io.idempotent.lock.EngineSwitchException if the switch was called off, is
	 * not possible now, or the thread is interrupted
	 * @throws LockUnavailableException if the authority cannot be reached; then it is not
	 * known whether the nodes switch
	 */
	public void switchTo(String engine) {
		this.switches.switchTo(engine);
	}

	/**
	 * Calls off the switch in progress, if there is one. Locks are granted on the former
	 * engine again.
	 * @return whether a switch was called off by this call
	 * @throws LockUnavailableException if the authority cannot be reached
	 */
	public boolean callOff() {
		return this.switches.callOff();
	}

	/**
	 * The agreement, as this node last read it.
	 */
	public EngineStatus status() {
		EpochDocument document = this.member.document();
		if (document == null) {
			return new EngineStatus(engine(), 0, null, List.of());
		}
		PendingSwitch pending = document.pending();
		return new EngineStatus(document.engine(), document.epoch(), (pending != null) ? pending.target() : null,
				(pending != null) ? EpochLog.waitingFor(document, pending) : List.of());
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
