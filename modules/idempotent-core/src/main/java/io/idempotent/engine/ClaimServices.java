package io.idempotent.engine;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;

/**
 * The collaborators that all claims of a gate share.
 *
 * @param store where records are kept
 * @param writes writes how claims ended
 * @param cache the near cache of completed outcomes
 * @param listeners publishes events
 * @param receipts the receipts of operations
 */
record ClaimServices(IdempotencyStore store, PendingWrites writes, OutcomeCache cache, IdempotencyListeners listeners,
		OperationReceipts receipts) {
}
