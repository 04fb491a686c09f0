package io.idempotent.benchmarks.records;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.support.Digest;

/**
 * The steps of a record in a store. A step that meets anything but what it expects fails
 * the run: an operation that does nothing is fast.
 */
public final class Records {

	/** How long they are remembered: as long as by default. */
	public static final Duration RETENTION = Duration.ofHours(24);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final byte[] content = Digest.sha256().add("content").build().bytes();

	private final IdempotencyStore store;

	/**
	 * Prepares the steps.
	 * @param store where they are taken
	 */
	public Records(IdempotencyStore store) {
		this.store = store;
	}

	/**
	 * One of as many keys as there are numbers. PostgreSQL finds the same ones with
	 * {@code sha256(int8send(number))}.
	 * @param number its number
	 * @return the key
	 */
	public static OperationKey key(long number) {
		try {
			byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
			return new OperationKey(Digest.of(MessageDigest.getInstance("SHA-256").digest(bytes)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Issues a key.
	 * @param key the key
	 */
	public void issue(OperationKey key) {
		this.store.issue(key, RETENTION);
	}

	/**
	 * Claims a key that nobody has claimed before.
	 * @param key the key
	 * @return the claim
	 */
	public ClaimId claim(OperationKey key) {
		ClaimRequest request = request(key);
		if (this.store.claim(request) instanceof ClaimResult.Granted granted) {
			return request.claimId(granted.attempt());
		}
		throw new IllegalStateException("The claim of a new key was not granted");
	}

	/**
	 * Completes a claim.
	 * @param claim the claim
	 * @param outcome the outcome
	 * @param retention how long it is remembered
	 */
	public void complete(ClaimId claim, Outcome outcome, Duration retention) {
		if (this.store.complete(claim, outcome, retention) != Ownership.HELD) {
			throw new IllegalStateException("A claim was lost");
		}
	}

	/**
	 * Leaves the outcome of a claim unknown.
	 * @param claim the claim
	 */
	public void leaveUnknown(ClaimId claim) {
		if (this.store.release(claim, Release.UNKNOWN) != Ownership.HELD) {
			throw new IllegalStateException("A claim was lost");
		}
	}

	/**
	 * Submits an operation that is done once more.
	 * @param key its key
	 * @param outcome what it must be answered
	 */
	public void duplicate(OperationKey key, Outcome outcome) {
		if (!(this.store.claim(request(key)) instanceof ClaimResult.Completed completed)
				|| !completed.outcome().equals(outcome)) {
			throw new IllegalStateException("A duplicate did not get the outcome");
		}
	}

	/** Everything is new, as it is for each submission. */
	private ClaimRequest request(OperationKey key) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return new ClaimRequest(key, new Owner(random.nextLong(), random.nextLong()),
				new Fingerprint(Digest.of(this.content)), LEASE, RETENTION, Admission.OPEN, Lapsed.TAKE_OVER,
				Term.LEASED, false);
	}

}
