package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.Admission.AskSameEngine;
import io.idempotent.lock.engine.Admission.Granted;
import io.idempotent.lock.engine.LockGrant.Ownership;
import io.idempotent.lock.epoch.Term;
import org.jspecify.annotations.Nullable;

/**
 * Asks engines for locks, also while the nodes switch from one engine to another.
 */
final class EngineRequests {

	private final EngineSelection engines;

	private final HeldLocks heldLocks;

	EngineRequests(EngineSelection engines, HeldLocks heldLocks) {
		this.engines = engines;
		this.heldLocks = heldLocks;
	}

	/**
	 * Returns a grant to its engine that is not used.
	 * @param granted the grant
	 */
	void releaseUnused(Granted granted) {
		monitor(granted).releaseUnused(granted.grant());
	}

	LeaseMonitor monitor(Granted granted) {
		return this.engines.monitor(this.engines.engine(granted.term()));
	}

	/**
	 * Gets the first grant of an acquire.
	 * @param request what the thread wants
	 * @param admission how it was admitted
	 * @param deadline how long to wait
	 * @return the grant, or {@code null} if the lock was not free in time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 */
	@Nullable Granted first(AcquireRequest request, Admission admission, Deadline deadline) throws InterruptedException {
		if (admission instanceof Granted handedOver) {
			return handedOver;
		}
		if (admission instanceof AskSameEngine same
				&& !this.engines.nameFor(request.options()).equals(same.engine().name())) {
			Term term = this.engines.permanentTerm(same.engine().name());
			return ask(request, term, LockRequest.NEVER_CANCELLED, deadline);
		}
		return ask(request, deadline);
	}

	/**
	 * Asks the engine in force. If the nodes switch to another one meanwhile, the thread
	 * waits until they have, and asks the other one.
	 * @param request what the thread wants
	 * @param deadline how long to wait
	 * @return the grant, or {@code null} if the lock was not free in time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 */
	@Nullable Granted ask(AcquireRequest request, Deadline deadline) throws InterruptedException {
		Term outer = outerTerm(request);
		if (outer != null) {
			return ask(request, outer, LockRequest.NEVER_CANCELLED, deadline);
		}
		while (true) {
			Term term = this.engines.awaitTerm(request, deadline);
			if (term == null) {
				return null;
			}
			try {
				return ask(request, term, term.canEnd() ? () -> !term.isOpen() : LockRequest.NEVER_CANCELLED, deadline);
			}
			catch (InterruptibleWait.CancelledException ex) {
				// The next engine is asked.
			}
			catch (LockUnavailableException ex) {
				if (term.isOpen()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * The term of another lock of the current thread, for which a switch waits. The
	 * thread must not wait for that switch.
	 */
	private @Nullable Term outerTerm(AcquireRequest request) {
		for (HeldLock held : this.heldLocks.all()) {
			Term term = held.term();
			if (!term.isOpen() && held.isValid() && this.engines.isWanted(request.options(), term)) {
				return term;
			}
		}
		return null;
	}

	/**
	 * Counts a lock that was granted.
	 * @param term the term in which it was granted
	 * @return {@code false} if the nodes switch to another engine, so that the grant
	 * excludes nobody
	 */
	boolean enter(Term term) {
		return term.enter() || (isNested(term) && term.enterNested());
	}

	private boolean isNested(Term term) {
		return this.heldLocks.all().stream().anyMatch((held) -> held.term() == term && held.isValid());
	}

	private @Nullable Granted ask(AcquireRequest request, Term term, BooleanSupplier cancelled, Deadline deadline)
			throws InterruptedException {
		LockEngine engine = this.engines.engine(term);
		SharedLocks.require(engine, request.mode());
		long requestedAt = System.nanoTime();
		LockGrant grant = engine.acquire(request.toLockRequest(cancelled), deadline.left());
		return (grant != null) ? new Granted(term, grant, requestedAt) : null;
	}

	/**
	 * Whether a third of the lease may have passed. An engine that had to wait does not
	 * report when it granted the lock, so that the lease counts from the request. A grant
	 * that may be old is renewed before it is used.
	 */
	static boolean mayBeOld(Granted granted) {
		Duration lease = granted.grant().lease();
		return lease != null && System.nanoTime() - granted.requestedAt() >= lease.toNanos() / 3;
	}

	Ownership renewAtOnce(Granted granted) {
		LockGrant grant = granted.grant();
		try {
			return LeaseMonitor.onOtherThread(() -> grant.renew(Objects.requireNonNull(grant.lease())));
		}
		catch (RuntimeException | Error ex) {
			monitor(granted).releaseLater(grant, Duration.ZERO);
			throw ex;
		}
	}

}
