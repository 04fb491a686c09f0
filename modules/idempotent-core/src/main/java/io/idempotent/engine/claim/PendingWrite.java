package io.idempotent.engine.claim;

import java.time.Duration;
import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A write of how a claim ended, which may have to be repeated.
 *
 * @param type the event to publish once it is written, or {@code null}
 * @param lost is called if another owner is found
 * @param failures how often the store failed unexpectedly, not counting outages
 */
record PendingWrite(ClaimId claim, String operation, What write, IdempotencyEvent.@Nullable Type type,
		Consumer<What> lost, int failures) {

	/** The approximate memory in bytes, without the answer. */
	private static final int OVERHEAD = 300;

	PendingWrite(ClaimId claim, String operation, What write, IdempotencyEvent.@Nullable Type type,
			Consumer<What> lost) {
		this(claim, operation, write, type, lost, 0);
	}

	static PendingWrite withdrawal(ClaimId claim, String operation, Withdrawn withdrawn) {
		return new PendingWrite(claim, operation, withdrawn, null, (write) -> {
		});
	}

	int size() {
		return OVERHEAD + this.write.size();
	}

	PendingWrite withoutAnswer() {
		return (this.write instanceof Completed completed) ? new PendingWrite(this.claim, this.operation,
				completed.withoutAnswer(), this.type, this.lost, this.failures) : this;
	}

	PendingWrite failedAgain() {
		return new PendingWrite(this.claim, this.operation, this.write, this.type, this.lost, this.failures + 1);
	}

	@Override
	public String toString() {
		return "operation '" + this.operation + "' (key " + this.claim.key() + ")";
	}

	sealed interface What {

		Ownership applyTo(WatchedStore store, ClaimId claim);

		/** In bytes, while it waits to be written. */
		default int size() {
			return 0;
		}

	}

	record Completed(Outcome outcome, Duration retention) implements What {

		@Override
		public Ownership applyTo(WatchedStore store, ClaimId claim) {
			return store.complete(claim, this.outcome, this.retention);
		}

		@Override
		public int size() {
			return (this.outcome instanceof Outcome.Stored stored) ? stored.answer().length : 0;
		}

		Completed withoutAnswer() {
			return new Completed(Outcome.TOMBSTONE, this.retention);
		}

	}

	record Released(Release release) implements What {

		@Override
		public Ownership applyTo(WatchedStore store, ClaimId claim) {
			return store.release(claim, this.release);
		}

	}

	/**
	 * Withdraws a claim whose reply was lost: claims as the same owner to learn the
	 * attempt. Changes no claim of another owner and creates no record. {@code again}
	 * because a claim may have reached the store since, over an abandoned connection.
	 */
	record Withdrawn(ClaimRequest request, boolean again) implements What {

		@Override
		public Ownership applyTo(WatchedStore store, ClaimId claim) {
			if (!(store.findLost(onlyItsOwn()) instanceof ClaimResult.Granted granted)) {
				return Ownership.LOST;
			}
			ClaimId confirmed = this.request.claimId(granted.attempt());
			// A claim that was taken over leaves the previous attempt's outcome unknown.
			return store.release(confirmed, granted.tookOver() ? Release.UNKNOWN : Release.NO_EFFECT);
		}

		private ClaimRequest onlyItsOwn() {
			return new ClaimRequest(this.request.key(), this.request.owner(), this.request.fingerprint(),
					this.request.lease(), this.request.retention(), ClaimRequest.Admission.ISSUED,
					ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false, false, this.request.origin());
		}

	}

}
