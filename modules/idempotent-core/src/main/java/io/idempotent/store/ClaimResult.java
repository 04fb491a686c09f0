package io.idempotent.store;

import java.time.Duration;

/**
 * What a claim met.
 */
public sealed interface ClaimResult {

	/**
	 * The claim is the asker's, now or already since an earlier call by the same owner.
	 *
	 * @param attempt the number of this claim of the record, from 1
	 * @param tookOver whether a lapsed claim was taken over, whose outcome is unknown
	 */
	record Granted(int attempt, boolean tookOver) implements ClaimResult {
	}

	/**
	 * Somebody else is at it.
	 *
	 * @param leaseLeft how long the lease runs if it is not renewed
	 */
	record InProgress(Duration leaseLeft) implements ClaimResult {
	}

	/**
	 * It is done.
	 *
	 * @param outcome the outcome
	 * @param attempt the attempt that did it
	 * @param retentionLeft how long it will be remembered
	 */
	record Completed(Outcome outcome, int attempt, Duration retentionLeft) implements ClaimResult {
	}

	/**
	 * The owner stopped renewing the claim, and the request did not take it over.
	 */
	record Unknown() implements ClaimResult {
	}

	/**
	 * The key stands for a submission with another fingerprint.
	 */
	record KeyReused() implements ClaimResult {
	}

	/**
	 * The key was never issued, or what was issued has expired.
	 */
	record NotIssued() implements ClaimResult {
	}

}
