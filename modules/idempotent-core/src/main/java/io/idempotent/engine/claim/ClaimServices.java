package io.idempotent.engine.claim;

import io.idempotent.IdempotencyEvent;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Ownership;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.Interrupts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What all claims of a gate share.
 *
 * @param store where records are kept
 * @param pending repeats the writes that the store did not accept
 * @param cache the near cache of completed outcomes
 * @param listeners publishes events
 * @param receipts the receipts of operations
 */
record ClaimServices(IdempotencyStore store, PendingWrites pending, OutcomeCache cache, IdempotencyListeners listeners,
		OperationReceipts receipts) {

	private static final Log logger = LogFactory.getLog(Claim.class);

	/**
	 * Writes how a claim ended, now or, if the store does not accept it, later. Blocks
	 * for one round trip, and never throws on account of the store.
	 * @param write the write
	 * @return whether the claim was still the owner's, or {@code null} if nothing was
	 * written
	 */
	@Nullable Ownership write(PendingWrite write) {
		return Interrupts.deferDuring(() -> writeUninterrupted(write));
	}

	private @Nullable Ownership writeUninterrupted(PendingWrite write) {
		try {
			Ownership ownership = write.write().applyTo(this.store, write.claim());
			if (ownership == Ownership.LOST) {
				write.lost().accept(write.write());
			}
			else {
				this.pending.publish(write, write.type());
			}
			return ownership;
		}
		catch (UnreadableRecordException ex) {
			logger.error("The outcome of " + write + " could not be recorded", ex);
			this.pending.publish(write, IdempotencyEvent.Type.WRITE_DROPPED);
			return null;
		}
		catch (StoreUnavailableException ex) {
			logger.debug("The outcome of " + write + " could not be recorded and will be retried", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The store failed to record the outcome of " + write + ", which is retried in the background",
					ex);
		}
		this.pending.publish(write, IdempotencyEvent.Type.WRITE_DELAYED);
		this.pending.add(write);
		return null;
	}

}
