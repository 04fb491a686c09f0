package io.idempotent.submission;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.idempotent.store.OperationKey;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on submissions that run one after another, made before the first one runs:
 * neither store nor receipts are asked while a transaction of several of them is open.
 * They stop at the first submission that cannot be decided yet, because another owner
 * runs it or the store fails: to wait for it while other claims are held could deadlock.
 */
public final class EarlyClaims implements AutoCloseable {

	private final Map<OperationKey, Decision> decisions = new HashMap<>();

	private @Nullable OperationKey blocked;

	private EarlyClaims() {
	}

	/** Of submissions with different keys, in the order of their turns. */
	static EarlyClaims make(List<Submission> submissions, Function<Submission, @Nullable Decision> decide) {
		EarlyClaims early = new EarlyClaims();
		try {
			for (Submission each : submissions) {
				Decision decision = decide.apply(each);
				if (decision == null) {
					early.blocked = each.key();
					break;
				}
				early.decisions.put(each.key(), decision);
			}
			return early;
		}
		catch (Throwable ex) {
			early.close();
			throw ex;
		}
	}

	/**
	 * Whether the submission must be entered while no other one is claimed: also if its
	 * claim was lost meanwhile.
	 */
	public boolean isBlocked(OperationKey key) {
		Decision decision = this.decisions.get(key);
		Claim claim = (decision != null) ? decision.claim() : null;
		return key.equals(this.blocked) || (claim != null && claim.isLost());
	}

	/** For the submission whose turn it is; {@code null} if there is none. */
	@Nullable Decision take(OperationKey key) {
		return this.decisions.remove(key);
	}

	/** Ends the claims that were not taken. */
	@Override
	public void close() {
		this.decisions.values().forEach(EarlyClaims::endUnused);
		this.decisions.clear();
	}

	private static void endUnused(Decision decision) {
		Claim claim = decision.claim();
		if (claim != null) {
			claim.end(decision.endWithoutRun());
		}
	}

}
