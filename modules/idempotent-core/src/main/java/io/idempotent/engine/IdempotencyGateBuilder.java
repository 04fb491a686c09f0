package io.idempotent.engine;

import java.util.List;
import java.util.function.Supplier;

import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;
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

	final IdempotencyStore store;

	@Nullable WakeUps wakeUps;

	int maxWaiters = DEFAULT_MAX_WAITERS;

	OutcomeCache outcomeCache = OutcomeCache.NONE;

	@Nullable OutcomeVerifier outcomeVerifier;

	@Nullable Receipts receipts;

	List<IdempotencyListener> listeners = List.of();

	@Nullable StoreCallListener storeCallListener;

	ReceiptListener receiptListener = ReceiptListener.NONE;

	SubmissionObserver observer = SubmissionObserver.NONE;

	Origins origins = Origins.NONE;

	IdempotencyGateBuilder(IdempotencyStore store) {
		this.store = store;
	}

	/**
	 * Sets what wakes waiting duplicates when an operation ends.
	 * @param source the source of wake-ups, or {@code null} (the default) to poll
	 * @return this builder
	 */
	public IdempotencyGateBuilder wakeUps(@Nullable WakeUps source) {
		this.wakeUps = source;
		return this;
	}

	/**
	 * Sets how many duplicates may wait for running operations at a time, with
	 * {@link WhenInProgress#WAIT}; further ones are refused.
	 * @param number the number; by default {@value #DEFAULT_MAX_WAITERS}
	 * @return this builder
	 */
	public IdempotencyGateBuilder maxWaiters(int number) {
		this.maxWaiters = number;
		return this;
	}

	/**
	 * Sets the near cache of completed outcomes.
	 * @param cache the cache; by default there is none
	 * @return this builder
	 */
	public IdempotencyGateBuilder outcomeCache(OutcomeCache cache) {
		this.outcomeCache = cache;
		return this;
	}

	/**
	 * Sets what decides on unknown outcomes with {@link WhenUnknown#ASK}.
	 * @param verifier the verifier; by default there is none
	 * @return this builder
	 */
	public IdempotencyGateBuilder outcomeVerifier(@Nullable OutcomeVerifier verifier) {
		this.outcomeVerifier = verifier;
		return this;
	}

	/**
	 * Sets the receipts in the guarded database.
	 * @param guard the receipts; by default there are none
	 * @return this builder
	 */
	public IdempotencyGateBuilder receipts(@Nullable Receipts guard) {
		this.receipts = guard;
		return this;
	}

	/**
	 * Sets the listeners that are told what happens to submissions.
	 * @param listeners the listeners; by default there are none
	 * @return this builder
	 */
	public IdempotencyGateBuilder listeners(List<? extends IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
		return this;
	}

	/**
	 * Sets what is told about each call of the store.
	 * @param listener the listener; by default there is none, and calls are not timed
	 * @return this builder
	 */
	public IdempotencyGateBuilder storeCallListener(@Nullable StoreCallListener listener) {
		this.storeCallListener = listener;
		return this;
	}

	/**
	 * Sets what is told about receipts.
	 * @param listener the listener; by default there is none
	 * @return this builder
	 */
	public IdempotencyGateBuilder receiptListener(ReceiptListener listener) {
		this.receiptListener = listener;
		return this;
	}

	/**
	 * Sets the observer of submissions.
	 * @param submissions the observer; by default there is none
	 * @return this builder
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
	 * @return this builder
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
		return new IdempotencyGate(this);
	}

}
