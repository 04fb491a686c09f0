package io.idempotent.lock.switching;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.switching.EpochRules.SwitchCommand;
import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the contact of this node to the authority: a thread that runs the rounds of the
 * {@link EpochMember}, from the first use on. Its state is read, and a change of it is
 * awaited, in code that is {@link #locked}.
 */
final class AuthorityContact {

	private static final Log logger = LogFactory.getLog(AuthorityContact.class);

	private static final long CLOSE_TIMEOUT = TimeUnit.SECONDS.toNanos(2);

	private final EpochMember member;

	private final SwitchSettings settings;

	private final EpochLog log = new EpochLog();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** How many rounds have ended. */
	private long rounds;

	private @Nullable LockUnavailableException failure;

	/** When the current round started, or the last one if none is in progress. */
	private long roundStartedAt;

	private boolean inRound;

	private @Nullable SwitchCommand command;

	private volatile @Nullable Thread thread;

	private boolean finished;

	private volatile boolean closed;

	private volatile boolean woken;

	/** Does not connect. The member calls its argument when its last lock was left. */
	AuthorityContact(Function<Runnable, EpochMember> member, SwitchSettings settings) {
		this.settings = settings;
		this.member = member.apply(this::wake);
	}

	EpochMember member() {
		return this.member;
	}

	EpochLog log() {
		return this.log;
	}

	<T extends @Nullable Object, X extends Throwable> T locked(ThrowingSupplier<T, X> work) throws X {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Why the authority cannot be reached: a failed round, or one that does not end. */
	@Nullable LockUnavailableException failure() {
		if (this.failure == null && this.inRound && nanosToRespond() <= 0) {
			return new LockUnavailableException("it has not responded for " + DurationText.of(this.settings.lease()),
					null);
		}
		return this.failure;
	}

	private long nanosToRespond() {
		return this.roundStartedAt + this.settings.lease().toNanos() - System.nanoTime();
	}

	/**
	 * Waits for the end of a round, but no longer than the authority has to respond, or
	 * only briefly if that time has passed. Callers check their condition in a loop.
	 */
	@SuppressWarnings("WaitNotInLoop")
	void awaitChange(long nanos) throws InterruptedException {
		long left = this.inRound ? nanosToRespond() : this.settings.lease().toNanos();
		this.changed.awaitNanos(Math.min(nanos, (left > 0) ? left : SwitchSettings.SWITCHING_INTERVAL));
	}

	long rounds() {
		return this.rounds;
	}

	/** After this many, one that starts from now on has ended; one may be in progress. */
	long nextWholeRound() {
		return this.rounds + ((this.thread != null) ? 2 : 1);
	}

	/** Waits until a round has executed a command, or there is a {@link #failure()}. */
	void execute(SwitchCommand wanted) throws InterruptedException {
		while (this.command != null && isResponding()) {
			awaitChange(Long.MAX_VALUE);
		}
		if (!isResponding()) {
			return;
		}
		this.command = wanted;
		wake();
		while (this.command == wanted && isResponding()) {
			awaitChange(Long.MAX_VALUE);
		}
	}

	/** Whether the round in progress may still end in time. */
	private boolean isResponding() {
		requireRunning();
		return !this.inRound || nanosToRespond() > 0;
	}

	/** Starts the thread with the first use, and fails if the locks are closed. */
	void requireRunning() {
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

	/** Starts the next round at once. */
	void wake() {
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
		changeState(() -> this.finished = true);
	}

	private void changeState(Runnable change) {
		locked(() -> {
			change.run();
			this.changed.signalAll();
			return true;
		});
	}

	/** Starts a round, and returns the command of an operator. */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	private @Nullable SwitchCommand begin() {
		return locked(() -> {
			this.inRound = true;
			this.roundStartedAt = System.nanoTime();
			return this.command;
		});
	}

	private @Nullable LockUnavailableException round(@Nullable SwitchCommand current) {
		EpochDocument before = this.member.document();
		try {
			this.member.round(current);
			this.log.changed(before, this.member.document());
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
		changeState(() -> {
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
		});
	}

	private void pause() {
		long nanos = this.settings.nanosToNextRead();
		EpochDocument document = this.member.document();
		if (document != null && document.pending() != null) {
			nanos = Math.min(nanos, SwitchSettings.SWITCHING_INTERVAL);
		}
		long end = System.nanoTime() + nanos;
		while (!this.woken && !this.closed && end - System.nanoTime() > 0) {
			LockSupport.parkNanos(this, end - System.nanoTime());
		}
	}

	/** Waits briefly until this node has left the others, if it holds no locks. */
	void close() {
		this.closed = true;
		wake();
		try {
			locked(this::awaitFinish);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean awaitFinish() throws InterruptedException {
		this.changed.signalAll();
		long left = CLOSE_TIMEOUT;
		while (this.thread != null && !this.finished && left > 0) {
			left = this.changed.awaitNanos(left);
		}
		return this.finished;
	}

}
