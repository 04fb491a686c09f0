package io.idempotent.submission.claim;

import java.time.Duration;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Owner;
import io.idempotent.submission.policy.OperationPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One request to run an operation.
 *
 * @param keyValue the key value as the caller sent it, for an
 * {@link io.idempotent.OutcomeVerifier}
 * @param admission whether the key must have been issued
 * @param keyLife how long the key itself stays valid, as a token does; zero if it does
 * not expire. The record is kept at least as long.
 */
public record Submission(OperationKey key, String keyValue, Fingerprint fingerprint, ClaimRequest.Admission admission,
		Duration keyLife) {

	/** Returns the same submission with another fingerprint. */
	public Submission with(Fingerprint other) {
		return new Submission(this.key, this.keyValue, other, this.admission, this.keyLife);
	}

	/**
	 * How long the completed operation is remembered.
	 * @param wanted the time of the policy, or the one that the operation asks for
	 * @return at least as long as a token is valid, which could be used again otherwise
	 */
	public Duration retention(Duration wanted) {
		return (this.keyLife.compareTo(wanted) > 0) ? this.keyLife : wanted;
	}

	ClaimRequest request(OperationPolicy policy, Owner owner, boolean caching, @Nullable Origin origin) {
		boolean burnt = policy.whenCompleted() == WhenCompleted.BURN;
		Duration retention = retention(policy.retention());
		return new ClaimRequest(this.key, owner, this.fingerprint, policy.lease(),
				burnt ? retention : beyondLease(policy.lease(), retention), this.admission,
				(policy.whenUnknown() == WhenUnknown.REJECT) ? ClaimRequest.Lapsed.LEAVE
						: ClaimRequest.Lapsed.TAKE_OVER,
				burnt ? ClaimRequest.Term.BURNT : ClaimRequest.Term.LEASED, false, caching, origin);
	}

	/**
	 * The record of a run outlives its lease, so that an unknown outcome is not taken for
	 * an operation that never ran: by as long again, or for the retention if that is
	 * shorter.
	 */
	static Duration beyondLease(Duration lease, Duration retention) {
		Duration least = lease.plus((retention.compareTo(lease) < 0) ? retention : lease);
		return (retention.compareTo(least) < 0) ? least : retention;
	}

}
