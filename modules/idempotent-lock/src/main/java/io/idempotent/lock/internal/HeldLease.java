package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import org.jspecify.annotations.Nullable;

/**
 * A grant, and its lease by the clock of this JVM, {@link System#nanoTime()}. It is
 * counted from before the engine was asked, so that it ends here no later than at the
 * engine, and it lasts no longer than the grant may be renewed. Reads need no lock.
 */
final class HeldLease {

	private final LockEngine askedEngine;

	private final LockGrant grant;

	/** Held during a renewal, so that the engine gets the renewals in their order. */
	private final ReentrantLock renewing = new ReentrantLock();

	/** When the lease ends however often it is renewed; null for no limit. */
	private volatile @Nullable Long limit;

	private volatile long renewedAt;

	private volatile long endsAt;

	/** The engine that was asked may have passed the request on. */
	HeldLease(LockEngine askedEngine, LockGrant grant, @Nullable Duration holdAtMost, long requestedAt) {
		this.askedEngine = askedEngine;
		this.grant = grant;
		this.limit = (holdAtMost != null) ? startOfHold(grant, holdAtMost, requestedAt) + holdAtMost.toNanos() : null;
		start(grant.lease(), requestedAt);
	}

	/** A wait for a grant with a shorter lease is short, or the lease was renewed. */
	private static long startOfHold(LockGrant grant, Duration holdAtMost, long requestedAt) {
		return (grant.lease().compareTo(holdAtMost) > 0) ? System.nanoTime() : requestedAt;
	}

	private void start(Duration duration, long requestedAt) {
		this.renewedAt = requestedAt;
		this.endsAt = endOf(requestedAt, duration);
	}

	LockEngine askedEngine() {
		return this.askedEngine;
	}

	/** The engine that has made the grant. */
	LockEngine engine() {
		return this.askedEngine.engineOf(this.grant);
	}

	LockGrant grant() {
		return this.grant;
	}

	/**
	 * Whether a third of the lease may have passed. A new lease counts from the request,
	 * since an engine does not report how long it waited.
	 */
	boolean isThirdOver(long now) {
		return now - this.renewedAt >= this.grant.lease().toNanos() / 3;
	}

	boolean hasEnded(long now) {
		return this.endsAt - now <= 0 || this.grant.nanosLeft(now) == 0;
	}

	/** How long the lease is valid without renewal; null if it has no end. */
	@Nullable Long nanosLeft(long now) {
		return isEndless() ? null : Math.max(0, Math.min(this.endsAt - now, this.grant.nanosLeft(now)));
	}

	/** Whether no time ends it, so that it needs no check. Reads no clock. */
	boolean isEndless() {
		long start = this.renewedAt;
		return this.limit == null && this.grant.lease().equals(LockEngine.FOREVER)
				&& this.endsAt == endOf(start, LockEngine.FOREVER) && this.grant.nanosLeft(start) == Long.MAX_VALUE;
	}

	String reasonOfEnd(long now) {
		if (this.grant.nanosLeft(now) == 0) {
			return "this node may no longer use the engine that has granted it";
		}
		Long latest = this.limit;
		return (latest != null && latest - now <= 0) ? "it was held for as long as its options allow"
				: "its lease has run out";
	}

	/** Whether a third of the lease has passed, and a renewal would extend it. */
	boolean isRenewalDue(long now) {
		Long latest = this.limit;
		return isThirdOver(now) && (latest == null || latest - this.endsAt > 0);
	}

	/** Each sixth of the lease, so that a renewal, due after a third, can be repeated. */
	long nanosToNextCheck(long now) {
		long left = Math.min(Math.max(0, this.endsAt - now), this.grant.nanosLeft(now));
		return Math.min(left, this.grant.lease().toNanos() / 6);
	}

	private Duration durationFrom(long now) {
		Duration duration = this.grant.lease();
		Long latest = this.limit;
		return (latest != null) ? Duration.ofNanos(Math.max(1_000_000, Math.min(duration.toNanos(), latest - now)))
				: duration;
	}

	/**
	 * A reply that arrives after the lease has ended changes nothing: a lock that was
	 * reported as invalid never becomes valid again.
	 */
	GrantState renew() {
		this.renewing.lock();
		try {
			long requestedAt = System.nanoTime();
			Duration duration = durationFrom(requestedAt);
			GrantState state = this.grant.renew(duration);
			if (state == GrantState.HELD) {
				renewed(requestedAt, duration);
			}
			return state;
		}
		finally {
			this.renewing.unlock();
		}
	}

	/** Starts again with the requested duration, since the limit may have moved. */
	private synchronized void renewed(long requestedAt, Duration duration) {
		if (!hasEnded(System.nanoTime())) {
			start(duration, requestedAt);
		}
	}

	/** Times are compared by their difference, which must not overflow. */
	private long endOf(long start, Duration duration) {
		long end = start + Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
		Long latest = this.limit;
		return (latest != null && latest - end < 0) ? latest : end;
	}

	/** Moves the limit, if there is one and it is earlier. */
	synchronized void limitAtLeast(long end) {
		Long latest = this.limit;
		if (latest != null && end - latest > 0) {
			this.limit = end;
		}
	}

	synchronized void endBy(long latest) {
		if (latest - this.endsAt < 0) {
			this.endsAt = latest;
		}
	}

}
