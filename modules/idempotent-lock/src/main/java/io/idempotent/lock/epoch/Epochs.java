package io.idempotent.lock.epoch;

import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.EngineSwitchException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.epoch.EpochDocument.PendingSwitch;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The epochs as this node sees them: which engine is in force, and switching to another
 * one. A thread of its own keeps the contact to the authority, from the first use on.
 * Safe for use by many threads.
 */
public final class Epochs implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Epochs.class);

	/** How often a node reads the document while a switch is in progress. */
	private static final long SWITCHING_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long CLOSE_TIMEOUT = TimeUnit.SECONDS.toNanos(2);

	private static final int LONGEST_DESCRIPTION = 64;

	private final SwitchSettings settings;

	private final List<String> engines;

	private final EpochMember member;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** How many rounds have ended. */
	private long rounds;

	private @Nullable LockUnavailableException failure;

	/** When the round in progress has begun, or the last one if none is. */
	private long roundStartedAt;

	private boolean inRound;

	private @Nullable SwitchCommand command;

	private volatile @Nullable Thread thread;

	private boolean finished;

	private volatile boolean closed;

	private volatile boolean woken;

	/**
	 * Creates epochs, without contact to the authority yet.
	 * @param store the register of the authority
	 * @param settings how nodes switch
	 * @param engines the engines to switch between, in order of preference
	 * @param health what this node knows of the engines
	 */
	public Epochs(EpochStore store, SwitchSettings settings, List<String> engines, EngineHealth health) {
		this.settings = settings;
		this.engines = List.copyOf(engines);
		this.member = new EpochMember(store, settings, engines, health, description(), System::nanoTime,
				new SecureRandom(), LockSupport::parkNanos, this::wake);
	}

	private static String description() {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		return name.substring(0, Math.min(name.length(), LONGEST_DESCRIPTION));
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
	public @Nullable Term openTerm() {
		Term term = this.member.term();
		return (term != null && term.isOpen()) ? term : null;
	}

	/**
	 * The engine in force, as far as this node knows.
	 * @return its name
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
	public @Nullable Term awaitTerm(LongSupplier nanosLeft, boolean interruptible) throws InterruptedException {
		Term open = openTerm();
		if (open != null) {
			return open;
		}
		boolean interrupted = false;
		this.lock.lock();
		try {
			// A round that is in progress may have begun before this call.
			long enough = this.rounds + ((this.thread != null) ? 2 : 1);
			while (true) {
				open = openTerm();
				if (open != null) {
					return open;
				}
				LockUnavailableException failed = failure();
				boolean switching = isSwitching(failed);
				if (switching && nanosLeft.getAsLong() <= 0) {
					return null;
				}
				if (!switching && (failed != null || this.rounds >= enough)) {
					throw unavailable(failed);
				}
				requireRunning();
				if (!switching) {
					wake();
				}
				try {
					awaitChange(switching ? nanosLeft.getAsLong() : Long.MAX_VALUE);
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
			this.lock.unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Waits for the end of a round, but no longer than the authority has to respond.
	 */
	private void awaitChange(long nanos) throws InterruptedException {
		long left = this.inRound ? nanosToRespond() : this.settings.lease().toNanos();
		this.changed.awaitNanos(Math.min(nanos, Math.max(left, 1)));
	}

	private long nanosToRespond() {
		return this.roundStartedAt + this.settings.lease().toNanos() - System.nanoTime();
	}

	/**
	 * Why the authority cannot be asked: the failure of the last round, or that the one
	 * in progress does not end.
	 */
	private @Nullable LockUnavailableException failure() {
		if (this.failure == null && this.inRound && nanosToRespond() <= 0) {
			return new LockUnavailableException("it has not responded for " + this.settings.lease(), null);
		}
		return this.failure;
	}

	private boolean isSwitching(@Nullable LockUnavailableException failed) {
		EpochDocument document = this.member.document();
		return document != null && document.pending() != null && (failed == null || !hasNoTerm());
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
	 * called off.
	 * @param engine its name, one of {@link #engines()}
	 * @throws EngineSwitchException if the switch was called off, is not possible now, or
	 * the thread is interrupted
	 * @throws LockUnavailableException if the authority cannot be reached; then it is not
	 * known whether the nodes switch
	 */
	public void switchTo(String engine) {
		this.lock.lock();
		try {
			EpochDocument document = execute(new SwitchCommand.Start(engine));
			PendingSwitch pending = document.pending();
			if (pending == null && document.engine().equals(engine)) {
				return;
			}
			if (pending == null || !pending.target().equals(engine)) {
				throw impossible(document, engine);
			}
			awaitEnd(document, pending);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while the lock engine is switched to '" + engine
					+ "'. The switch goes on unless it is called off");
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Calls off the switch in progress, if there is one. Locks are granted on the former
	 * engine again.
	 * @return whether a switch was called off by this call
	 * @throws LockUnavailableException if the authority cannot be reached
	 */
	public boolean callOff() {
		this.lock.lock();
		try {
			EpochDocument before = this.member.document();
			EpochDocument after = execute(new SwitchCommand.CallOff());
			return before != null && before.pending() != null && after.pending() == null
					&& after.epoch() == before.epoch();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while a switch of lock engines is called off");
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets the next round execute a command, and returns what it led to. */
	private EpochDocument execute(SwitchCommand wanted) throws InterruptedException {
		while (this.command != null) {
			awaitExecution();
		}
		requireRunning();
		this.command = wanted;
		wake();
		while (this.command == wanted) {
			awaitExecution();
		}
		EpochDocument document = this.member.document();
		if (this.failure != null || document == null) {
			throw unavailable(this.failure);
		}
		return document;
	}

	/**
	 * Waits for the end of a round, unless the thread that executes commands has ended or
	 * the authority does not respond.
	 */
	private void awaitExecution() throws InterruptedException {
		requireRunning();
		if (this.inRound && nanosToRespond() <= 0) {
			throw unavailable(failure());
		}
		awaitChange(Long.MAX_VALUE);
	}

	private void awaitEnd(EpochDocument start, PendingSwitch pending) throws InterruptedException {
		EpochDocument latest = start;
		EpochDocument before = start;
		while (latest.pending() != null && latest.pending().id() == pending.id()) {
			requireRunning();
			LockUnavailableException failed = failure();
			if (failed != null && hasNoTerm()) {
				throw unavailable(failed);
			}
			this.changed.awaitNanos(SWITCHING_INTERVAL);
			before = latest;
			EpochDocument known = this.member.document();
			latest = (known != null) ? known : latest;
		}
		if (latest.epoch() == start.epoch()) {
			throw new EngineSwitchException("The switch of locks from '" + start.engine() + "' to '" + pending.target()
					+ "' was called off, by an operator or since locks were still held after "
					+ this.settings.drainTime() + " (idempotent.lock.switching.drain-time). Last waited for: "
					+ EpochLog.waitingFor(before, pending));
		}
	}

	private boolean hasNoTerm() {
		Term term = this.member.term();
		return term == null || term.hasEnded(System.nanoTime());
	}

	private EngineSwitchException impossible(EpochDocument document, String engine) {
		PendingSwitch other = document.pending();
		if (other != null) {
			return new EngineSwitchException("Locks are being switched to '" + other.target()
					+ "', so that they cannot be switched to '" + engine + "' now: wait, or call that switch off");
		}
		if (document.epoch() >= EpochDocument.LAST_EPOCH) {
			return new EngineSwitchException("Epoch " + document.epoch() + " is the last one: tokens could not grow in "
					+ "another one. Stop all nodes and delete the entry at the authority to begin with epoch 1");
		}
		List<String> lacking = document.members()
			.values()
			.stream()
			.filter((member) -> !member.engines().contains(engine))
			.map(Member::description)
			.sorted()
			.toList();
		return new EngineSwitchException("Locks cannot be switched to '" + engine + "': it is not configured on "
				+ lacking + " (idempotent.lock.engines)");
	}

	/**
	 * What the nodes have agreed on, as this node has read it last.
	 * @return the state
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

	/** Starts the thread with the first use. */
	private void requireRunning() {
		if (this.closed || this.finished) {
			throw new LockUnavailableException("No lock is granted any more: the locks of this application are closed, "
					+ "since it is shutting down", null);
		}
		if (this.thread == null) {
			Thread created = DaemonThreads.named("idempotent-lock-epoch").newThread(this::run);
			// Fails if the process has too many threads; then the next use tries again.
			created.start();
			this.thread = created;
		}
	}

	private void wake() {
		this.woken = true;
		LockSupport.unpark(this.thread);
	}

	private void run() {
		while (!this.closed) {
			this.woken = false;
			SwitchCommand current = begin();
			LockUnavailableException failed = round(current);
			ended(current, failed);
			pause();
		}
		try {
			this.member.leave();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not leave the other nodes; the entry of this one expires", ex);
		}
		this.lock.lock();
		try {
			this.finished = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Begins a round, and returns what an operator wants. */
	private @Nullable SwitchCommand begin() {
		this.lock.lock();
		try {
			this.inRound = true;
			this.roundStartedAt = System.nanoTime();
			return this.command;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable LockUnavailableException round(@Nullable SwitchCommand current) {
		EpochDocument before = this.member.document();
		try {
			this.member.round(current);
			EpochLog.changed(before, this.member.document());
			return null;
		}
		catch (LockUnavailableException ex) {
			return ex;
		}
		catch (RuntimeException | Error ex) {
			return new LockUnavailableException(ex.toString(), ex);
		}
	}

	private void ended(@Nullable SwitchCommand executed, @Nullable LockUnavailableException failed) {
		this.lock.lock();
		try {
			if (failed != null && this.failure == null) {
				logger.warn("The authority for the lock engine in force cannot be reached; it is tried again each "
						+ "second. " + failed.getMessage(), failed.getCause());
			}
			else if (failed == null && this.failure != null) {
				logger.info("The authority for the lock engine in force can be reached again");
			}
			this.failure = failed;
			this.inRound = false;
			this.rounds++;
			if (executed != null && this.command == executed) {
				this.command = null;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void pause() {
		long nanos = this.settings.nanosToNextRead();
		EpochDocument document = this.member.document();
		if (document != null && document.pending() != null) {
			nanos = Math.min(nanos, SWITCHING_INTERVAL);
		}
		long end = System.nanoTime() + nanos;
		while (!this.woken && !this.closed && end - System.nanoTime() > 0) {
			LockSupport.parkNanos(this, end - System.nanoTime());
		}
	}

	/**
	 * Ends the contact to the authority. If this node holds no locks, it leaves the other
	 * nodes, which this waits for briefly; otherwise its entry expires.
	 */
	@Override
	public void close() {
		this.closed = true;
		wake();
		this.lock.lock();
		try {
			this.changed.signalAll();
			long left = CLOSE_TIMEOUT;
			while (this.thread != null && !this.finished && left > 0) {
				left = this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

}
