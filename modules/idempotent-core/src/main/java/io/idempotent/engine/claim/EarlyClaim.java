package io.idempotent.engine.claim;

import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer to a submission whose turn comes later. The claim, if one was
 * granted, is renewed and must be ended.
 *
 * @param requestedAt when the store was asked, by {@link System#nanoTime()}
 */
public record EarlyClaim(ClaimRequest request, long requestedAt, ClaimResult answer, @Nullable Claim claim) {

	boolean isLost() {
		return this.claim != null && this.claim.isLost();
	}

	public boolean tookOver() {
		return this.answer instanceof ClaimResult.Granted granted && granted.tookOver();
	}

	/** Nothing runs under it. What was unknown before the claim stays unknown. */
	void release() {
		if (this.claim != null) {
			this.claim.end(tookOver() ? End.Unanswered.UNKNOWN : End.Unanswered.NOT_STARTED);
		}
	}

}
