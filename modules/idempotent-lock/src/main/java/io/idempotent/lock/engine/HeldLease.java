package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.epoch.Term;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a held lock by the clock of this JVM, {@link System#nanoTime()}. It is
 * counted from before the engine was asked, so that it ends here no later than at the
 * engine, and it lasts no longer than the term in which the lock was granted. Reads need
 * no lock; changes are made under the lock of the {@link HeldLock}.
 */
final class HeldLease {

	private final LockGrant grant;

	private final Term term;

	/** When the lease ends however often it is renewed; null for no limit. */
	private volatile @Nullable Long limit;

	private volatile long renewedAt;

	private volatile long endsAt;

	/**
	 * Creates a lease.
	 * @param grant the grant, with or without a lease
	 * @param term the term in which it was granted
	 * @param holdAtMost the longest time for which the lock may be held, or {@code null}
	 * @param requestedAt when the engine was asked
	 */
	HeldLease(LockGrant grant, Term term, @Nullable Duration holdAtMost, long requestedAt) {
		this.grant = grant;
		this.term = term;
		this.limit = (holdAtMost != null) ? requestedAt + holdAtMost.toNanos() : null;
		Duration duration = grant.lease();
		this.renewedAt = requestedAt;
		this.endsAt = endOf(requestedAt, (duration != null) ? duration.toNanos() : Long.MAX_VALUE / 2);
	}

	/**
	 * The lease of the grant that takes the place of this one.
	 * @param next the next grant
	 * @param requestedAt when it was requested
	 * @return its lease, which is limited as this one is
	 */
	HeldLease continuedBy(LockGrant next, long requestedAt) {
		Long end = this.limit;
		return new HeldLease(next, this.term, (end != null) ? Duration.ofNanos(end - requestedAt) : null, requestedAt);
	}

	/**
	 * Whether the lease can end at all.
	 * @return whether it has a duration or a limit, or its term can end
	 */
	boolean canEnd() {
		return hasDurationOrLimit() || this.term.canEnd();
	}

	boolean hasEnded(long now) {
		return (hasDurationOrLimit() && this.endsAt - now <= 0) || this.term.hasEnded(now);
	}

	/**
	 * How long the lease is valid without renewal.
	 * @param now the time
	 * @return the time in nanoseconds, or {@code null} if it has no end
	 */
	@Nullable Long nanosLeft(long now) {
		return hasDurationOrLimit() ? Math.max(0, Math.min(this.endsAt - now, this.term.nanosLeft(now))) : null;
	}

	private boolean hasDurationOrLimit() {
		return isRenewable() || this.limit != null;
	}

	/**
	 * Why the lease has ended.
	 * @param now the time
	 * @return the reason for the log
	 */
	String reasonOfEnd(long now) {
		if (this.term.hasEnded(now)) {
			return "this node has had no contact to the authority for the lock engine in force for too long";
		}
		Long latest = this.limit;
		return (latest != null && latest - now <= 0) ? "it was held for as long as its options allow"
				: "its lease has run out";
	}

	boolean isRenewable() {
		return this.grant.lease() != null;
	}

	/**
	 * Whether a third of the lease has passed and a renewal would extend it.
	 * @param now the time
	 * @return whether renewal is due
	 */
	boolean isRenewalDue(long now) {
		Duration duration = this.grant.lease();
		Long latest = this.limit;
		return duration != null && now - this.renewedAt >= duration.toNanos() / 3
				&& (latest == null || latest - this.endsAt > 0);
	}

	/**
	 * How soon to check the lease: when it ends, and each sixth of it, which leaves time
	 * to repeat a renewal that is due after a third.
	 * @param now the time
	 * @return the time until then in nanoseconds
	 */
	long nanosToNextCheck(long now) {
		long left = Math.min(Math.max(0, this.endsAt - now), this.term.nanosLeft(now));
		Duration duration = this.grant.lease();
		return (duration != null) ? Math.min(left, duration.toNanos() / 6) : left;
	}

	/**
	 * The duration to ask the engine for: no longer than the limit allows.
	 * @param now the time
	 * @return the duration; zero if the engine has no leases
	 */
	Duration durationFrom(long now) {
		Duration duration = this.grant.lease();
		if (duration == null) {
			return Duration.ZERO;
		}
		Long latest = this.limit;
		return (latest != null) ? Duration.ofNanos(Math.max(1_000_000, Math.min(duration.toNanos(), latest - now)))
				: duration;
	}

	/**
	 * Starts the lease again.
	 * @param requestedAt when the engine was asked
	 * @param duration the duration that it was asked for: the limit may have moved since
	 */
	void restart(long requestedAt, Duration duration) {
		if (isRenewable()) {
			this.renewedAt = requestedAt;
			this.endsAt = endOf(requestedAt, duration.toNanos());
		}
	}

	private long endOf(long start, long nanos) {
		long end = start + nanos;
		Long latest = this.limit;
		return (latest != null && latest - end < 0) ? latest : end;
	}

	/**
	 * Moves the limit, if there is one and it is earlier.
	 * @param end the earliest limit
	 */
	void limitAtLeast(long end) {
		Long latest = this.limit;
		if (latest != null && end - latest > 0) {
			this.limit = end;
			if (!isRenewable()) {
				this.endsAt = end;
			}
		}
	}

	/**
	 * Shortens the lease.
	 * @param latest when it ends at the latest
	 */
	void endBy(long latest) {
		if (latest - this.endsAt < 0) {
			this.endsAt = latest;
		}
	}

}
