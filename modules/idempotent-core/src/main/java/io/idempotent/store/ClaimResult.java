package io.idempotent.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The result of a claim request.
 */
public sealed interface ClaimResult {

	/**
	 * The owner holds the claim, from now on or since an earlier call.
	 *
	 * @param attempt the number of this claim of the record, from 1
	 * @param tookOver whether it took over a claim whose lease had ended and whose
	 * outcome is unknown
	 */
	record Granted(int attempt, boolean tookOver) implements ClaimResult {
	}

	/**
	 * Another owner holds the claim.
	 *
	 * @param leaseLeft the time until the lease ends if it is not renewed
	 */
	record InProgress(Duration leaseLeft) implements ClaimResult {
	}

	/**
	 * The operation is completed, or its key is {@linkplain ClaimRequest.Term#BURNT
	 * burnt}, while it may still run: then the outcome is a tombstone.
	 *
	 * @param attempt the attempt that has completed it
	 * @param retentionLeft how long it will be remembered; may be zero for a request that
	 * is not {@linkplain ClaimRequest#caching() caching}
	 * @param origin where that attempt came from; {@code null} where it is not known
	 */
	record Completed(Outcome outcome, int attempt, Duration retentionLeft,
			@Nullable Origin origin) implements ClaimResult {

		/** Returns the same with another outcome. */
		public Completed as(Outcome other) {
			return new Completed(other, this.attempt, this.retentionLeft, this.origin);
		}

		/** Returns the same, which the near cache does not keep. */
		public Completed uncached() {
			return new Completed(this.outcome, this.attempt, Duration.ZERO, this.origin);
		}

	}

	/**
	 * The lease of another owner has ended, and the request does not take its claim over.
	 */
	record Unknown() implements ClaimResult {
	}

	/**
	 * The record belongs to a submission with another fingerprint.
	 *
	 * @param recorded the fingerprint of the record
	 */
	record KeyReused(Fingerprint recorded) implements ClaimResult {
	}

	/**
	 * The key was never issued, or has expired.
	 */
	record NotIssued() implements ClaimResult {
	}

}
