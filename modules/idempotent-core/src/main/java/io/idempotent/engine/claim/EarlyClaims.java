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
 * Claims for submissions whose turns come one after another, made before the first turn:
 * no store is called while a transaction of several turns is open. They end before the
 * first submission that cannot have its answer yet, because another owner is at it or the
 * store fails: whoever waits for that one must hold no claim that the other may be
 * waiting for.
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
			for (Submission each : submissions) {
				if (!early.claim(claims, policy, each)) {
					early.blocked = each.key();
					break;
				}
			}
			return early;
		}
		catch (Throwable ex) {
			early.close();
			throw ex;
		}
	}

	/** Returns false if there is no answer yet. */
	private boolean claim(Claims claims, OperationPolicy policy, Submission submission) {
		ClaimRequest request = claims.request(policy, submission, false);
		long requestedAt = System.nanoTime();
		ClaimResult answer;
		try {
			answer = claims.claim(policy, request);
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			logger.debug("Operation '" + policy.operation() + "' (key " + request.key()
					+ ") is claimed again when it is its turn", ex);
			return false;
		}
		if (answer instanceof ClaimResult.InProgress || answer instanceof ClaimResult.Unknown) {
			return false;
		}
		Claim claim = (answer instanceof ClaimResult.Granted granted)
				? claims.open(policy, submission, request, granted, requestedAt) : null;
		this.claims.put(request.key(), new EarlyClaim(request, requestedAt, answer, claim));
		return true;
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

	/** Releases the claims that were not taken. */
	@Override
	public void close() {
		this.claims.values().forEach(EarlyClaim::release);
		this.claims.clear();
	}

}
