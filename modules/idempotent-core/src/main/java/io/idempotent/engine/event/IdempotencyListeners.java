package io.idempotent.engine.event;

import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.event.GateListener.ReceiptEvent;
import io.idempotent.engine.event.GateListener.StoreCall;
import io.idempotent.engine.event.GateListener.StoreResult;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.OperationKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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
		for (GateListener listener : this.gateListeners) {
			try {
				listener.onStoreCall(call, result, nanos);
			}
			catch (Throwable ex) {
				failed(call, ex);
			}
		}
	}

	public void receipt(ReceiptEvent event) {
		for (GateListener listener : this.gateListeners) {
			try {
				listener.onReceipt(event);
			}
			catch (Throwable ex) {
				failed(event, ex);
			}
		}
	}

	/** By the first listener that observes submissions. */
	public SubmissionObservation start(String operation, Entrance entrance) {
		for (GateListener listener : this.gateListeners) {
			SubmissionObservation observation = listener.start(operation, entrance);
			if (observation != SubmissionObservation.NONE) {
				return observation;
			}
		}
		return SubmissionObservation.NONE;
	}

	public void replayed(OperationPolicy policy, OperationKey key) {
		publish(IdempotencyEvent.Type.REPLAYED, policy.operation(), key);
	}

	public void refused(OperationPolicy policy, OperationKey key, Refusal reason) {
		if (isHeard()) {
			publish(new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, policy.operation(), key.toString(), reason));
		}
	}

	public void refusedWithoutKey(String operation, Refusal reason) {
		if (isHeard()) {
			publish(new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, operation, "", reason));
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
		for (IdempotencyListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				failed(event, ex);
			}
		}
	}

	/** Errors too: the claim must end, and renewals must continue. */
	private static void failed(Object event, Throwable ex) {
		logger.warn("A listener failed on " + event, ex);
	}

}
