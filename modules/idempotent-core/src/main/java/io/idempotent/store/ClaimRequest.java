package io.idempotent.store;

import java.time.Duration;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * A request to claim an operation.
 *
 * @param fingerprint the digest of what was submitted: content and, over HTTP, operation
 * and path
 * @param lease how long the claim lives without renewal
 * @param retention how long the record is kept, however the claim ends; longer than the
 * lease of a leased claim, so that an unknown outcome is distinguished from an operation
 * that never ran
 * @param admission which records may be claimed
 * @param lapsed what to do with a claim whose lease has ended
 * @param term whether the claim has a lease
 * @param listening whether the submission waits for another claim of the key to end, and
 * wants to be woken
 * @param caching whether the submission keeps the outcome of a completed operation, and
 * wants to know for how long it may
 * @param origin the origin of the run, which is stored with the record; {@code null} for
 * none
 */
public record ClaimRequest(OperationKey key, Owner owner, Fingerprint fingerprint, Duration lease, Duration retention,
		Admission admission, Lapsed lapsed, Term term, boolean listening, boolean caching, @Nullable Origin origin) {

	/** Checks the times. */
	public ClaimRequest {
		if (lease.isNegative() || lease.isZero() || (term == Term.LEASED && retention.compareTo(lease) <= 0)) {
			throw new IllegalArgumentException("A lease (" + DurationText.of(lease)
					+ ") must be positive and shorter than the retention (" + DurationText.of(retention) + ")");
		}
	}

	/** A request of a submission that caches nothing, and keeps no origin. */
	public ClaimRequest(OperationKey key, Owner owner, Fingerprint fingerprint, Duration lease, Duration retention,
			Admission admission, Lapsed lapsed, Term term, boolean listening) {
		this(key, owner, fingerprint, lease, retention, admission, lapsed, term, listening, false, null);
	}

	/** The claim that the store granted. */
	public ClaimId claimId(int attempt) {
		return new ClaimId(this.key, this.owner, this.fingerprint, attempt, this.origin);
	}

	/** Returns the same request of a submission that waits. */
	public ClaimRequest whileListening() {
		return new ClaimRequest(this.key, this.owner, this.fingerprint, this.lease, this.retention, this.admission,
				this.lapsed, this.term, true, this.caching, this.origin);
	}

	/** Returns the same request with another fingerprint. */
	public ClaimRequest with(Fingerprint other) {
		return new ClaimRequest(this.key, this.owner, other, this.lease, this.retention, this.admission, this.lapsed,
				this.term, this.listening, this.caching, this.origin);
	}

	/** Returns the same request, which takes over a claim whose lease has ended. */
	public ClaimRequest takingOver() {
		return new ClaimRequest(this.key, this.owner, this.fingerprint, this.lease, this.retention, this.admission,
				Lapsed.TAKE_OVER, this.term, this.listening, this.caching, this.origin);
	}

	/**
	 * Which records may be claimed.
	 */
	public enum Admission {

		/** Any key; one without a record is claimed as well. */
		OPEN,

		/** Only keys that were issued before. */
		ISSUED

	}

	/**
	 * What to do with a claim whose lease has ended.
	 */
	public enum Lapsed {

		/** Take it over. */
		TAKE_OVER,

		/** Leave it unchanged and report that its outcome is unknown. */
		LEAVE

	}

	/**
	 * Whether a claim has a lease.
	 */
	public enum Term {

		/** The claim holds until its owner ends it or its lease ends. */
		LEASED,

		/**
		 * The claim has no lease: the record is a tombstone from the start, which only
		 * its owner can release. There is no unknown outcome.
		 */
		BURNT

	}

}
