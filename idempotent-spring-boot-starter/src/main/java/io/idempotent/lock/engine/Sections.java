package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.EngineSwitch.Choice;
import io.idempotent.lock.engine.LockGrant.Standing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * How threads enter and leave the sections that locks guard: first the hold they have,
 * then the gate of this JVM, then the engine.
 */
final class Sections {

	private static final Log logger = LogFactory.getLog(Sections.class);

	private final HoldTable holds = new HoldTable();

	private final EngineSwitch engines;

	private final LocalGate.Gates gates;

	private final LockEvents events;

	Sections(EngineSwitch engines, LocalGate.Gates gates, LockEvents events) {
		this.engines = engines;
		this.gates = gates;
		this.events = events;
	}

	@Nullable Hold find(String name) {
		return this.holds.find(name);
	}

	List<Hold> holds() {
		return this.holds.all();
	}

	/**
	 * Enters a section.
	 * @param name the lock
	 * @param options how it is held
	 * @param terms what the options leave open
	 * @param deadline how long to wait
	 * @return whether the current thread is in it
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	boolean enter(String name, LockOptions options, LockTerms terms, Deadline deadline) throws InterruptedException {
		Hold hold = this.holds.find(name);
		if (hold != null) {
			enterAgain(hold);
			return true;
		}
		long start = System.nanoTime();
		try {
			hold = enterAnew(name, options, terms, deadline);
		}
		catch (LockUnavailableException ex) {
			this.events.tell(LockEvent.Type.UNAVAILABLE, name, engineFor(options), System.nanoTime() - start, 0);
			throw ex;
		}
		if (hold == null) {
			this.events.tell(LockEvent.Type.NOT_OBTAINED, name, engineFor(options), System.nanoTime() - start, 0);
			return false;
		}
		this.events.tell(LockEvent.Type.OBTAINED, name, hold.engine().name(), System.nanoTime() - start,
				hold.grant().token());
		return true;
	}

	private String engineFor(LockOptions options) {
		return this.engines.choice(options.engine()).engine().name();
	}

	private @Nullable Hold enterAnew(String name, LockOptions options, LockTerms terms, Deadline deadline)
			throws InterruptedException {
		LocalGate gate = this.gates.enter(name);
		Hold hold = null;
		boolean passed = false;
		try {
			passed = gate.pass(deadline);
			hold = passed ? obtain(name, gate, options, terms, deadline) : null;
			return hold;
		}
		finally {
			if (hold == null) {
				leave(name, gate, passed);
			}
		}
	}

	private void enterAgain(Hold hold) {
		this.engines.watch(hold.engine()).loseIfOver(hold, System.nanoTime());
		if (hold.isLost()) {
			throw lost(hold);
		}
		hold.enterAgain();
	}

	private void leave(String name, LocalGate gate, boolean passed) {
		if (passed) {
			this.gates.open(name, gate);
		}
		else {
			this.gates.leave(name);
		}
	}

	private @Nullable Hold obtain(String name, LocalGate gate, LockOptions options, LockTerms terms, Deadline deadline)
			throws InterruptedException {
		while (true) {
			Choice choice = this.engines.choice(options.engine());
			LockRequest request = new LockRequest(name, terms.lease(options), options.fair(), choice.epoch());
			long askedAt = System.nanoTime();
			LockGrant grant = choice.engine().acquire(request, deadline.left());
			if (grant == null) {
				return null;
			}
			if (this.engines.choice(options.engine()).engine() != choice.engine()) {
				// Switched while we waited: a grant of the former engine guards nothing.
				giveBack(choice.engine(), grant);
				continue;
			}
			boolean old = looksOld(grant, askedAt);
			long startsAt = old ? System.nanoTime() : askedAt;
			if (!old || renewAtOnce(choice.engine(), grant) == Standing.HELD) {
				return begin(new Hold(name, gate, choice.engine(), grant, options, terms.limit(options), startsAt));
			}
			if (deadline.nanosLeft() == 0) {
				return null;
			}
		}
	}

	/**
	 * An engine that waited does not say when it granted, and a lease counts from when it
	 * was asked for: one that looks old is renewed before anything relies on it.
	 * @param grant the grant
	 * @param askedAt when it was asked for
	 * @return whether a third of its lease may have passed
	 */
	private static boolean looksOld(LockGrant grant, long askedAt) {
		Duration lease = grant.lease();
		return lease != null && System.nanoTime() - askedAt >= lease.toNanos() / 3;
	}

	private Hold begin(Hold hold) {
		this.engines.watch(hold.engine()).keep(hold);
		this.holds.add(hold);
		return hold;
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
	 * Leaves a section.
	 * @param name the lock
	 */
	void leave(String name) {
		Hold hold = this.holds.find(name);
		if (hold == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the lock '" + name + "'");
		}
		if (!hold.leave()) {
			if (hold.isLost()) {
				throw lost(hold);
			}
			return;
		}
		this.holds.remove(hold);
		end(hold);
	}

	private void end(Hold hold) {
		LeaseWatch watch = this.engines.watch(hold.engine());
		watch.loseIfOver(hold, System.nanoTime());
		if (!hold.end()) {
			throw lost(hold);
		}
		watch.forget(hold);
		Standing standing = null;
		try {
			standing = release(hold, watch);
		}
		finally {
			this.gates.open(hold.name(), hold.gate());
		}
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
	 * Tells the engine.
	 * @param hold what has ended
	 * @param watch who repeats it
	 * @return whether the grant stood until now, or {@code null} if the engine could not
	 * be told
	 */
	private static @Nullable Standing release(Hold hold, LeaseWatch watch) {
		Duration keepFor = hold.keepFor();
		try {
			return hold.grant().release(keepFor);
		}
		catch (RuntimeException ex) {
			logger.warn("The release of the " + hold
					+ " could not be told to the engine; it is repeated until the lease ends", ex);
			watch.releaseLater(hold.grant(), keepFor);
			return null;
		}
	}

	private void tell(LockEvent.Type type, Hold hold) {
		this.events.tell(type, hold.name(), hold.engine().name(), hold.nanosHeld(), hold.grant().token());
	}

	private void tellLoss(Hold hold) {
		LockEvent loss = hold.event(LockEvent.Type.LOST);
		logger.warn("Lost " + hold + ", held for " + loss.time() + ": the engine no longer knew it at its release");
		this.events.tell(loss);
		hold.lossListeners().forEach((listener) -> LockEvents.tell(listener, loss));
	}

	static LockLostException lost(Hold hold) {
		return new LockLostException(hold.name(), "The current thread has lost the " + hold
				+ " before it gave it back: somebody else may have been in the section at the same time");
	}

}
