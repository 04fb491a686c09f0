package io.idempotent.engine;

import java.util.List;
import java.util.function.Supplier;

import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.claim.Origins;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.event.StoreCallListener;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.engine.receipt.ReceiptListener;
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

	/** The default of {@link #maxWaiters}. */
	public static final int DEFAULT_MAX_WAITERS = 50;

	private final IdempotencyStore store;

	private @Nullable WakeUps wakeUps;

	private int maxWaiters = DEFAULT_MAX_WAITERS;

	private OutcomeCache outcomeCache = OutcomeCache.NONE;

	private @Nullable OutcomeVerifier outcomeVerifier;

	private @Nullable Receipts receipts;

	private List<IdempotencyListener> listeners = List.of();

	private @Nullable StoreCallListener storeCallListener;

	private ReceiptListener receiptListener = ReceiptListener.NONE;

	private SubmissionObserver observer = SubmissionObserver.NONE;

	private Origins origins = Origins.NONE;

	/**
	 * Begins to build a gate.
	 * @param store where records are kept
	 */
	public IdempotencyGateBuilder(IdempotencyStore store) {
		this.store = store;
	}

	/**
	 * Sets what wakes waiting duplicates when an operation ends.
	 * @param source the source of wake-ups, or {@code null} (the default) to poll
	 */
	public IdempotencyGateBuilder wakeUps(@Nullable WakeUps source) {
		this.wakeUps = source;
		return this;
	}

	/**
	 * Sets how many duplicates may wait for running operations at a time, with
	 * {@link WhenInProgress#WAIT}; further ones are refused.
	 * @param number the number; by default {@value #DEFAULT_MAX_WAITERS}
	 */
	public IdempotencyGateBuilder maxWaiters(int number) {
		this.maxWaiters = number;
		return this;
	}

	/**
	 * Sets the near cache of completed outcomes.
	 * @param cache the cache; by default there is none
	 */
	public IdempotencyGateBuilder outcomeCache(OutcomeCache cache) {
		this.outcomeCache = cache;
		return this;
	}

	/**
	 * Sets what decides on unknown outcomes with {@link WhenUnknown#ASK}.
	 * @param verifier the verifier; by default there is none
	 */
	public IdempotencyGateBuilder outcomeVerifier(@Nullable OutcomeVerifier verifier) {
		this.outcomeVerifier = verifier;
		return this;
	}

	/**
	 * Sets the receipts in the guarded database.
	 * @param guard the receipts; by default there are none
	 */
	public IdempotencyGateBuilder receipts(@Nullable Receipts guard) {
		this.receipts = guard;
		return this;
	}

	/**
	 * Sets the listeners for events of submissions.
	 * @param listeners the listeners; by default there are none
	 */
	public IdempotencyGateBuilder listeners(List<? extends IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
		return this;
	}

	/**
	 * Sets the listener for calls of the store.
	 * @param listener the listener; by default there is none, and calls are not timed
	 */
	public IdempotencyGateBuilder storeCallListener(@Nullable StoreCallListener listener) {
		this.storeCallListener = listener;
		return this;
	}

	/**
	 * Sets the listener for receipts.
	 * @param listener the listener; by default there is none
	 */
	public IdempotencyGateBuilder receiptListener(ReceiptListener listener) {
		this.receiptListener = listener;
		return this;
	}

	/**
	 * Sets the observer of submissions.
	 * @param submissions the observer; by default there is none
	 */
	public IdempotencyGateBuilder observer(SubmissionObserver submissions) {
		this.observer = submissions;
		return this;
	}

	/**
	 * Sets the origin that is kept with each record: the application, the node and the
	 * current trace.
	 * @param namespace the namespace of the application
	 * @param node the name of this node; by default no origin is kept
	 * @param traceparent returns the W3C {@code traceparent} of the current trace, or
	 * {@code null} outside of a trace; called once for each claim, must neither block nor
	 * throw
	 */
	public IdempotencyGateBuilder origin(String namespace, String node, Supplier<@Nullable String> traceparent) {
		this.origins = new Origins(Origin.application(namespace), Origin.requireNode(node), traceparent);
		return this;
	}

	/**
	 * Builds the gate. The caller closes it after the last operation has ended and before
	 * the store is closed.
	 */
	public IdempotencyGate build() {
		WatchedStore watched = new WatchedStore(this.store, Outage.QUIET, this.storeCallListener);
		IdempotencyListeners told = new IdempotencyListeners(this.listeners);
		OperationReceipts proofs = new OperationReceipts(this.receipts, this.receiptListener);
		return new IdempotencyGate(watched, this.outcomeCache, told, this.observer, proofs,
				new Claims(watched, this.outcomeCache, told, proofs, this.origins),
				new WaitRoom(this.maxWaiters, this.wakeUps), new UnknownOutcomes(this.outcomeVerifier, proofs, told));
	}

}
