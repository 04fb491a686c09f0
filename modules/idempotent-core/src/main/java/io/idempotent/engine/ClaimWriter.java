package io.idempotent.engine;

import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Ownership;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.Interrupts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes how a claim ended to the store. Never throws on account of the store: a write
 * that the store did not accept is retried in the background.
 */
final class ClaimWriter {

	private static final Log logger = LogFactory.getLog(Claim.class);

	private final ClaimId claim;

	private final String operation;

	private final ClaimServices services;

	private final Consumer<ClaimCompletion> lost;

	/**
	 * Creates the writer of a claim.
	 * @param claim the claim
	 * @param operation the name of the operation
	 * @param services the collaborators
	 * @param lost is called with what another owner's claim has prevented, now or, where
	 * the write is retried, in the background
	 */
	ClaimWriter(ClaimId claim, String operation, ClaimServices services, Consumer<ClaimCompletion> lost) {
		this.lost = lost;
		this.claim = claim;
		this.operation = operation;
		this.services = services;
	}

	/**
	 * Writes a completion. Blocks for one round trip.
	 * @param completion the completion
	 * @param type the event to publish once it is written
	 * @return what the store replied
	 */
	Result write(ClaimCompletion completion, IdempotencyEvent.Type type) {
		return Interrupts.deferDuring(() -> writeUninterrupted(completion, type));
	}

	private Result writeUninterrupted(ClaimCompletion completion, IdempotencyEvent.Type type) {
		try {
			if (completion.applyTo(this.services.store(), this.claim) == Ownership.LOST) {
				this.lost.accept(completion);
				return Result.CLAIM_LOST;
			}
			publish(type);
			return Result.WRITTEN;
		}
		catch (StoreUnavailableException ex) {
			logger.debug("The outcome of " + this + " could not be recorded and will be retried", ex);
			retryLater(completion, type);
		}
		catch (UnreadableRecordException ex) {
			logger.error("The outcome of " + this + " could not be recorded", ex);
			publish(IdempotencyEvent.Type.WRITE_DROPPED);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The store failed to record the outcome of " + this + ", which is retried in the background",
					ex);
			retryLater(completion, type);
		}
		return Result.NOT_WRITTEN;
	}

	private void retryLater(ClaimCompletion completion, IdempotencyEvent.Type type) {
		publish(IdempotencyEvent.Type.WRITE_DELAYED);
		this.services.leases().retryLater(new PendingWrite(this.claim, this.operation, completion, type, this.lost));
	}

	private void publish(IdempotencyEvent.Type type) {
		this.services.listeners().publish(type, this.operation, this.claim.key());
	}

	@Override
	public String toString() {
		return "operation '" + this.operation + "' (key " + this.claim.key() + ")";
	}

	/**
	 * The result of a write.
	 */
	enum Result {

		/** The store has recorded it. */
		WRITTEN,

		/** Another owner holds the record; nothing was changed. */
		CLAIM_LOST,

		/**
		 * The store failed; the write is retried, or dropped if the record is corrupt.
		 */
		NOT_WRITTEN

	}

}
