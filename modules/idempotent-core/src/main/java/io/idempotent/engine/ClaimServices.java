package io.idempotent.engine;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;

/**
 * The collaborators that all claims of a gate share.
 *
 * @param store where records are kept
 * @param leases renews claims, and retries writes that the store did not accept
 * @param cache the near cache of completed outcomes
 * @param listeners publishes events
 * @param receipts the receipts of operations
 */
record ClaimServices(IdempotencyStore store, LeaseKeeper leases, OutcomeCache cache, IdempotencyListeners listeners,
		OperationReceipts receipts) {
}
