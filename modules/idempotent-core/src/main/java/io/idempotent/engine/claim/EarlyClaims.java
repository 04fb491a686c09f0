package io.idempotent.engine.claim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Claims for submissions whose turns come one after another, made in one round trip if
 * the store can. They end before the first submission that cannot have its answer yet,
 * because another owner is at it or the store fails: whoever waits for that one must hold
 * no claim that the other may be waiting for.
 */
public final class EarlyClaims implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(EarlyClaims.class);

	private final Map<OperationKey, EarlyClaim> claims = new HashMap<>();

	private @Nullable OperationKey blocked;

	private EarlyClaims() {
	}

	public static EarlyClaims none() {
		return new EarlyClaims();
	}

	/** Of submissions with different keys, in the order of their turns. */
	public static EarlyClaims make(Claims claims, OperationPolicy policy, List<Submission> submissions) {
		EarlyClaims early = new EarlyClaims();
		try {
			early.claim(claims, policy, submissions);
			return early;
		}
		catch (Throwable ex) {
			early.close();
			throw ex;
		}
	}

	private void claim(Claims claims, OperationPolicy policy, List<Submission> submissions) {
		List<ClaimRequest> requests = submissions.stream().map((each) -> claims.request(policy, each, false)).toList();
		long requestedAt = System.nanoTime();
		List<@Nullable ClaimResult> answers = ask(claims, policy, requests);
		boolean lost = answers.isEmpty();
		for (int i = 0; i < answers.size(); i++) {
			// With another fingerprint, it is claimed alone, which compares.
			if (!(answers.get(i) instanceof ClaimResult.KeyReused)) {
				add(claims, policy, submissions.get(i), requests.get(i), answers.get(i), requestedAt);
			}
		}
		for (int i = 0; i < requests.size(); i++) {
			if (this.blocked == null) {
				boolean open = lost || answers.get(i) == null || answers.get(i) instanceof ClaimResult.KeyReused;
				claimOrBlock(claims, policy, submissions.get(i), requests.get(i), open);
			}
			else if (lost) {
				claims.withdraw(policy, requests.get(i));
			}
			else {
				release(requests.get(i).key());
			}
		}
	}

	/** Empty if the reply was lost: the same owner claims again, and recognizes it. */
	private static List<@Nullable ClaimResult> ask(Claims claims, OperationPolicy policy, List<ClaimRequest> requests) {
		try {
			return claims.store().claimAll(requests);
		}
		catch (StoreUnavailableException ex) {
			return List.of();
		}
		catch (RuntimeException | Error ex) {
			requests.forEach((request) -> claims.withdraw(policy, request));
			throw ex;
		}
	}

	private void claimOrBlock(Claims claims, OperationPolicy policy, Submission submission, ClaimRequest request,
			boolean open) {
		if (open) {
			try {
				long requestedAt = System.nanoTime();
				add(claims, policy, submission, request, claims.claim(policy, request), requestedAt);
			}
			catch (StoreUnavailableException | UnreadableRecordException ex) {
				logger.debug("Operation '" + policy.operation() + "' (key " + request.key()
						+ ") is claimed again when it is its turn", ex);
			}
		}
		if (!this.claims.containsKey(request.key())) {
			this.blocked = request.key();
		}
	}

	private void add(Claims claims, OperationPolicy policy, Submission submission, ClaimRequest request,
			@Nullable ClaimResult answer, long requestedAt) {
		if (answer == null || answer instanceof ClaimResult.InProgress || answer instanceof ClaimResult.Unknown) {
			return;
		}
		Claim claim = (answer instanceof ClaimResult.Granted granted)
				? claims.open(policy, submission, request, granted, requestedAt) : null;
		this.claims.put(request.key(), new EarlyClaim(request, requestedAt, answer, claim));
	}

	/**
	 * Whether the submission must be entered while no other one is claimed: also if its
	 * claim was lost meanwhile.
	 */
	public boolean isBlocked(OperationKey key) {
		EarlyClaim early = this.claims.get(key);
		return key.equals(this.blocked) || (early != null && early.isLost());
	}

	/** The claim of the submission whose turn it is; {@code null} if there is none. */
	public @Nullable EarlyClaim take(OperationKey key) {
		return this.claims.remove(key);
	}

	private void release(OperationKey key) {
		EarlyClaim early = this.claims.remove(key);
		if (early != null) {
			early.release();
		}
	}

	/** Releases the claims that were not taken. */
	@Override
	public void close() {
		List.copyOf(this.claims.keySet()).forEach(this::release);
	}

}
