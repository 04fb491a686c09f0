package io.idempotent.store;

import java.time.Duration;

import io.idempotent.logging.DurationText;

/**
 * What a submission asks of the store.
 *
 * @param key which operation
 * @param owner who asks
 * @param fingerprint what the operation is asked to do
 * @param lease how long the claim lives without renewal
 * @param retention how long the record lives, whatever becomes of the claim; longer than
 * the lease, or an unknown outcome could not be told from no operation at all
 * @param admission which records may be claimed
 * @param lapsed what a lapsed lease means
 * @param term how long the claim is meant to hold
 * @param listening whether somebody waits for the end of the claim that stands in the
 * way, and wants to be woken
 */
public record ClaimRequest(OperationKey key, Owner owner, Fingerprint fingerprint, Duration lease, Duration retention,
		Admission admission, Lapsed lapsed, Term term, boolean listening) {

	/**
	 * Checks the times.
	 */
	public ClaimRequest {
		if (lease.isNegative() || lease.isZero() || retention.compareTo(lease) < 0) {
			throw new IllegalArgumentException("A lease (" + DurationText.of(lease)
					+ ") must be positive and no longer than the retention (" + DurationText.of(retention) + ")");
		}
	}

	/**
	 * The same request by somebody who waits.
	 * @return a request that is listening
	 */
	public ClaimRequest whileListening() {
		return new ClaimRequest(this.key, this.owner, this.fingerprint, this.lease, this.retention, this.admission,
				this.lapsed, this.term, true);
	}

	/**
	 * The same request, which takes over a claim whose lease has lapsed.
	 * @return a request that does
	 */
	public ClaimRequest takingOver() {
		return new ClaimRequest(this.key, this.owner, this.fingerprint, this.lease, this.retention, this.admission,
				Lapsed.TAKE_OVER, this.term, this.listening);
	}

	/**
	 * Which records may be claimed.
	 */
	public enum Admission {

		/** Any: a key that nobody has used yet is claimed on the spot. */
		OPEN,

		/** Only keys that were issued before. */
		ISSUED

	}

	/**
	 * What becomes of a claim whose lease has lapsed.
	 */
	public enum Lapsed {

		/** The asker takes it over. */
		TAKE_OVER,

		/** It is left alone, as unknown. */
		LEAVE

	}

	/**
	 * How long a claim is meant to hold.
	 */
	public enum Term {

		/** Until its owner ends it or its lease lapses. */
		LEASED,

		/**
		 * For good: the record is a tombstone from the claim on, which only its owner may
		 * still release. There is no lease and no unknown outcome.
		 */
		BURNT

	}

}
