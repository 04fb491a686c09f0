package io.idempotent.engine;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.logging.Outage;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Origin;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link IdempotencyGate}. Only the store is required.
 */
public final class IdempotencyGateBuilder {

	public static final int DEFAULT_MAX_WAITERS = 50;

	private final IdempotencyStore store;

	private @Nullable WakeUps wakeUps;

	private int maxWaiters = DEFAULT_MAX_WAITERS;

	private OutcomeCache outcomeCache = OutcomeCache.NONE;

	private @Nullable OutcomeVerifier outcomeVerifier;

	private @Nullable Receipts receipts;

	private List<IdempotencyListener> listeners = List.of();

	private Function<String, @Nullable Origin> origins = (operation) -> null;

	public IdempotencyGateBuilder(IdempotencyStore store) {
		this.store = store;
	}

	/** By default, waiting duplicates poll. */
	public IdempotencyGateBuilder wakeUps(@Nullable WakeUps source) {
		this.wakeUps = source;
		return this;
	}

	/** How many duplicates may wait at a time; further ones are refused. */
	public IdempotencyGateBuilder maxWaiters(int number) {
		this.maxWaiters = number;
		return this;
	}

	public IdempotencyGateBuilder outcomeCache(OutcomeCache cache) {
		this.outcomeCache = cache;
		return this;
	}

	/** For {@link WhenUnknown#ASK}. */
	public IdempotencyGateBuilder outcomeVerifier(@Nullable OutcomeVerifier verifier) {
		this.outcomeVerifier = verifier;
		return this;
	}

	public IdempotencyGateBuilder receipts(@Nullable Receipts guard) {
		this.receipts = guard;
		return this;
	}

	/** A {@link io.idempotent.engine.event.GateListener} is notified of more. */
	public IdempotencyGateBuilder listeners(List<? extends IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
		return this;
	}

	/**
	 * By default no origin is kept. The supplier is called once for each claim, and must
	 * neither block nor throw.
	 */
	public IdempotencyGateBuilder origin(String namespace, String node, Supplier<@Nullable String> traceparent) {
		String application = Origin.application(namespace);
		Origin.requireNode(node);
		this.origins = (operation) -> new Origin(application, operation, node, traceparent.get(), Instant.now());
		return this;
	}

	/** Close the gate after the last operation has ended, before the store is closed. */
	public IdempotencyGate build() {
		IdempotencyListeners told = new IdempotencyListeners(this.listeners);
		WatchedStore watched = new WatchedStore(this.store, Outage.QUIET, told);
		OperationReceipts proofs = new OperationReceipts(this.receipts, told::receipt);
		return new IdempotencyGate(new IdempotencyGate.Services(watched, this.outcomeCache, told, proofs,
				new Claims(watched, this.outcomeCache, told, proofs, this.origins),
				new WaitRoom(this.maxWaiters, this.wakeUps), this.outcomeVerifier));
	}

}
