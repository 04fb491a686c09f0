package io.idempotent.engine;

import io.idempotent.OutcomeVerifier;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.OutcomeCache;
import org.jspecify.annotations.Nullable;

/** What all submissions share. */
record GateServices(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
		Claims claims, WaitRoom waitRoom, @Nullable OutcomeVerifier verifier) {
}
