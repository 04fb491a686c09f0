package io.idempotent.submission.event;

import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.event.GateListener.ReceiptEvent;
import io.idempotent.submission.event.GateListener.StoreCall;
import io.idempotent.submission.event.GateListener.StoreResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notifies all {@link IdempotencyListener}s. Events are logged at debug level as well.
 */
public final class IdempotencyListeners {

	private static final Log logger = LogFactory.getLog(IdempotencyEvent.class);

	private final List<IdempotencyListener> listeners;

	private final List<GateListener> gateListeners;

	public IdempotencyListeners(List<? extends IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
		this.gateListeners = listeners.stream()
			.filter(GateListener.class::isInstance)
			.map(GateListener.class::cast)
			.toList();
	}

	boolean hearStoreCalls() {
		return !this.gateListeners.isEmpty();
	}

	void storeCalled(StoreCall call, StoreResult result, long nanos) {
		this.gateListeners.forEach((listener) -> call(call, () -> listener.onStoreCall(call, result, nanos)));
	}

	public void receipt(ReceiptEvent event) {
		this.gateListeners.forEach((listener) -> call(event, () -> listener.onReceipt(event)));
	}

	/** {@code null} if the submission has no key. */
	public void refused(String operation, @Nullable OperationKey key, Refusal reason) {
		if (isHeard()) {
			publish(new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, operation, (key != null) ? key.toString() : "",
					reason));
		}
	}

	public void publish(IdempotencyEvent.Type type, String operation, OperationKey key) {
		if (isHeard()) {
			publish(new IdempotencyEvent(type, operation, key.toString(), null));
		}
	}

	private boolean isHeard() {
		return !this.listeners.isEmpty() || logger.isDebugEnabled();
	}

	private void publish(IdempotencyEvent event) {
		if (logger.isDebugEnabled()) {
			logger.debug("Operation '" + event.operation() + "' (key " + (event.key().isEmpty() ? "none" : event.key())
					+ "): " + event.type() + ((event.refusal() != null) ? " " + event.refusal() : ""));
		}
		this.listeners.forEach((listener) -> call(event, () -> listener.onEvent(event)));
	}

	/** Catches errors too: the claim must end, and renewals must continue. */
	private static void call(Object event, Runnable listener) {
		try {
			listener.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener failed on " + event, ex);
		}
	}

}
