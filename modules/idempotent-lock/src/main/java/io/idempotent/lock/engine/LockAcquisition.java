package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.EngineSwitch.Choice;
import io.idempotent.lock.engine.LocalLockQueue.Admission;
import io.idempotent.lock.engine.LocalLockQueue.Admission.Behind;
import io.idempotent.lock.engine.LocalLockQueue.Admission.Granted;
import io.idempotent.lock.engine.LocalLockQueue.Waiter;
import io.idempotent.lock.engine.LockGrant.Standing;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * How threads enter and leave the sections that locks guard: first the hold they have,
 * then the gate of this JVM, then the engine.
 */
final class LockAcquisition {

	private static final Log logger = LogFactory.getLog(LockAcquisition.class);

	private final HeldLocks holds = new HeldLocks();

	private final EngineSwitch engines;

	private final LocalLockQueues gates;

	private final LockListeners events;

	LockAcquisition(EngineSwitch engines, LocalLockQueues gates, LockListeners events) {
		this.engines = engines;
		this.gates = gates;
		this.events = events;
	}

	@Nullable HeldLock find(String name) {
		return this.holds.find(name);
	}

	/**
	 * What the current thread has locked and not given back, but for what has ended by
	 * itself.
	 * @return the holds, the innermost last
	 */
	List<HeldLock> holds() {
		return this.holds.all().stream().filter((hold) -> !hold.hasEnded()).toList();
	}

	/**
	 * Enters a section.
	 * @param wish what the thread wants
	 * @param deadline how long to wait
	 * @return whether the current thread is in it
	 * @throws InterruptedException if the thread is interrupted while it waits, and that
	 * ends the wait
	 */
	boolean enter(AcquireRequest wish, Deadline deadline) throws InterruptedException {
		String name = wish.name();
		HeldLock hold = this.holds.find(name);
		if (hold != null && hold.hasEnded()) {
			// With its transaction; the section that was not left is over too.
			this.holds.remove(hold);
		}
		else if (hold != null && enterAgain(hold)) {
			return true;
		}
		long start = System.nanoTime();
		try {
			hold = enterAnew(wish, deadline);
		}
		catch (LockUnavailableException ex) {
			this.events.tell(LockEvent.Type.UNAVAILABLE, name, engineFor(wish.options()), System.nanoTime() - start, 0);
			throw ex;
		}
		if (hold == null) {
			this.events.tell(LockEvent.Type.NOT_OBTAINED, name, engineFor(wish.options()), System.nanoTime() - start,
					0);
			return false;
		}
		this.events.tell(LockEvent.Type.OBTAINED, name, hold.engine().name(), System.nanoTime() - start,
				hold.grant().token());
		return true;
	}

	private String engineFor(LockOptions options) {
		return this.engines.choice(options.engine()).engine().name();
	}

	private @Nullable HeldLock enterAnew(AcquireRequest wish, Deadline deadline) throws InterruptedException {
		LocalLockQueue gate = this.gates.enter(wish.name());
		HeldLock hold = null;
		Admission passage = null;
		try {
			passage = requireOpen(wish, gate.pass(wish, deadline));
			hold = (passage != null) ? obtain(wish, gate, passage, deadline) : null;
			return hold;
		}
		finally {
			if (hold == null) {
				leaveGate(wish.name(), gate, passage != null);
			}
		}
	}

	private static @Nullable Admission requireOpen(AcquireRequest wish, @Nullable Admission passage) {
		if (passage == Admission.CLOSED) {
			throw closed(wish.name());
		}
		return passage;
	}

	private static LockUnavailableException closed(String name) {
		return new LockUnavailableException("The lock '" + name
				+ "' cannot be taken any more: the locks of this application are closed, since it is shutting down",
				null);
	}

	private boolean enterAgain(HeldLock hold) {
		this.engines.watch(hold.engine()).loseIfOver(hold, System.nanoTime());
		if (hold.isLost() || !hold.grant().stands()) {
			throw lost(hold);
		}
		return hold.enterAgain();
	}

	private void leaveGate(String name, LocalLockQueue gate, boolean passed) {
		if (passed) {
			this.gates.open(name, gate, false);
		}
		else {
			this.gates.leave(name);
		}
	}

	private @Nullable HeldLock obtain(AcquireRequest wish, LocalLockQueue gate, Admission passage, Deadline deadline)
			throws InterruptedException {
		Granted granted = first(wish, passage, deadline);
		while (granted != null) {
			if (this.engines.choice(wish.options().engine()).engine() != granted.engine()) {
				// Switched while we waited: a grant of the former engine guards nothing.
				giveBack(granted.engine(), granted.grant());
				granted = ask(wish, deadline);
				continue;
			}
			boolean old = looksOld(granted);
			long startsAt = old ? System.nanoTime() : granted.askedAt();
			if (!old || renewAtOnce(granted.engine(), granted.grant()) == Standing.HELD) {
				return begin(new HeldLock(wish.name(), gate, granted.engine(), granted.grant(), wish.options(),
						wish.terms().limit(wish.options()), startsAt));
			}
			granted = (deadline.nanosLeft() > 0) ? ask(wish, deadline) : null;
		}
		return null;
	}

	private @Nullable Granted first(AcquireRequest wish, Admission passage, Deadline deadline)
			throws InterruptedException {
		if (passage instanceof Granted handedOver) {
			return handedOver;
		}
		return (passage instanceof Behind behind) ? ask(wish, this.engines.choice(behind.engine().name()), deadline)
				: ask(wish, deadline);
	}

	private @Nullable Granted ask(AcquireRequest wish, Deadline deadline) throws InterruptedException {
		return ask(wish, this.engines.choice(wish.options().engine()), deadline);
	}

	private static @Nullable Granted ask(AcquireRequest wish, Choice choice, Deadline deadline)
			throws InterruptedException {
		long askedAt = System.nanoTime();
		LockGrant grant = choice.engine().acquire(wish.request(choice), deadline.left());
		return (grant != null) ? new Granted(choice.engine(), grant, askedAt) : null;
	}

	/**
	 * An engine that waited does not say when it granted, and a lease counts from when it
	 * was asked for: one that looks old is renewed before anything relies on it.
	 * @param granted the grant
	 * @return whether a third of its lease may have passed
	 */
	private static boolean looksOld(Granted granted) {
		Duration lease = granted.grant().lease();
		return lease != null && System.nanoTime() - granted.askedAt() >= lease.toNanos() / 3;
	}

	private HeldLock begin(HeldLock hold) {
		try {
			if (this.gates.isClosed()) {
				// While the engine was asked.
				throw closed(hold.name());
			}
			this.engines.watch(hold.engine()).keep(hold);
		}
		catch (Throwable ex) {
			giveBack(hold.engine(), hold.grant());
			throw ex;
		}
		this.holds.add(hold);
		if (hold.engine().queuesWaiters()) {
			hold.gate().widen(hold.engine());
		}
		hold.grant().whenEnded(() -> endedByItself(hold));
		return hold;
	}

	private void endedByItself(HeldLock hold) {
		if (hold.endByItself()) {
			this.engines.watch(hold.engine()).forget(hold);
			this.gates.open(hold.name(), hold.gate(), hold.engine().queuesWaiters());
			tell(LockEvent.Type.RELEASED, hold);
		}
	}

	private Standing renewAtOnce(LockEngine engine, LockGrant grant) {
		try {
			return grant.renew(Objects.requireNonNull(grant.lease()));
		}
		catch (RuntimeException ex) {
			this.engines.watch(engine).releaseLater(grant, Duration.ZERO);
			throw ex;
		}
	}

	private void giveBack(LockEngine engine, LockGrant grant) {
		try {
			grant.release(Duration.ZERO);
		}
		catch (RuntimeException ex) {
			this.engines.watch(engine).releaseLater(grant, Duration.ZERO);
		}
	}

	/**
	 * What the current thread holds.
	 * @param name the lock
	 * @return the hold
	 * @throws IllegalMonitorStateException if it does not hold the lock
	 */
	HeldLock require(String name) {
		HeldLock hold = this.holds.find(name);
		if (hold == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the lock '" + name + "'");
		}
		return hold;
	}

	/**
	 * Leaves a section, on any thread.
	 * @param hold what was held in it
	 */
	void leave(HeldLock hold) {
		if (!hold.leave()) {
			if (hold.isLost()) {
				throw lost(hold);
			}
			return;
		}
		this.holds.remove(hold);
		if (hold.hasEnded()) {
			requireInTime(hold);
		}
		else {
			end(hold);
		}
	}

	/**
	 * Another thread may complete the transaction that the grant is bound to.
	 */
	private static void requireNotLost(HeldLock hold) {
		if (!hold.hasEnded()) {
			throw lost(hold);
		}
		requireInTime(hold);
	}

	/**
	 * Who leaves while that is completed which has ended the grant is in time; another
	 * thread is told of the completion while it happens.
	 */
	private static void requireInTime(HeldLock hold) {
		if (hold.isOfCurrentThread() && hold.grant().release(Duration.ZERO) == Standing.LOST) {
			throw lost(hold);
		}
	}

	private void end(HeldLock hold) {
		LeaseMonitor watch = this.engines.watch(hold.engine());
		watch.loseIfOver(hold, System.nanoTime());
		if (!hold.end()) {
			requireNotLost(hold);
			return;
		}
		watch.forget(hold);
		Standing standing = giveUp(hold, watch);
		if (standing == Standing.LOST) {
			tellLoss(hold);
			throw lost(hold);
		}
		if (standing == null) {
			tell(LockEvent.Type.RELEASE_DELAYED, hold);
		}
		tell(LockEvent.Type.RELEASED, hold);
	}

	/**
	 * Tells the engine, and lets the next thread through.
	 * @param hold what has ended
	 * @param watch who repeats what could not be told
	 * @return whether the grant stood until now, or {@code null} if the engine could not
	 * be told
	 */
	private @Nullable Standing giveUp(HeldLock hold, LeaseMonitor watch) {
		Duration keepFor = hold.keepFor();
		Waiter nextWaiter = keepFor.isZero() ? nextWaiter(hold) : null;
		boolean handedOver = false;
		try {
			Granted next = (nextWaiter != null) ? handOff(hold, nextWaiter) : null;
			if (nextWaiter == null || next == null) {
				return hold.grant().release(keepFor);
			}
			handedOver = hold.gate().handOver(nextWaiter, next);
			if (!handedOver) {
				giveBack(next.engine(), next.grant());
			}
			return Standing.HELD;
		}
		catch (RuntimeException ex) {
			logger.warn("The release of the " + hold
					+ " could not be sent to the engine; it is repeated until the lease ends", ex);
			watch.releaseLater(hold.grant(), keepFor);
			return null;
		}
		finally {
			if (handedOver) {
				this.gates.leave(hold.name());
			}
			else {
				this.gates.open(hold.name(), hold.gate(), hold.engine().queuesWaiters());
			}
		}
	}

	/**
	 * Who waits for the lock in this JVM, on the same engine.
	 */
	private @Nullable Waiter nextWaiter(HeldLock hold) {
		Waiter nextWaiter = hold.gate().nextWaiter();
		return (nextWaiter != null
				&& this.engines.choice(nextWaiter.wish().options().engine()).engine() == hold.engine()) ? nextWaiter
						: null;
	}

	private @Nullable Granted handOff(HeldLock hold, Waiter nextWaiter) {
		Choice choice = this.engines.choice(nextWaiter.wish().options().engine());
		long askedAt = System.nanoTime();
		LockGrant next = hold.grant().handOff(nextWaiter.wish().request(choice));
		return (next != null) ? new Granted(hold.engine(), next, askedAt) : null;
	}

	private void tell(LockEvent.Type type, HeldLock hold) {
		this.events.tell(type, hold.name(), hold.engine().name(), hold.nanosHeld(), hold.grant().token());
	}

	private void tellLoss(HeldLock hold) {
		LockEvent loss = hold.event(LockEvent.Type.LOST);
		logger.warn("Lost " + hold + ", held for " + DurationText.ofMeasured(loss.time())
				+ ": when it was released, the engine did not know it any more");
		this.events.tell(loss);
		hold.lossListeners().forEach((listener) -> LockListeners.tell(listener, loss));
	}

	static LockLostException lost(HeldLock hold) {
		return new LockLostException(hold.name(), "The current thread has lost the " + hold
				+ " before it released it: another thread or node may have been in the section at the same time");
	}

}
