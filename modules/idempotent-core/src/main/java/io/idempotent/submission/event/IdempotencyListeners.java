package io.idempotent.submission.event;

import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.submission.event.GateListener.Entrance;
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

	/** By the first listener that observes submissions. */
	public SubmissionObservation start(String operation, Entrance entrance) {
		for (GateListener listener : this.gateListeners) {
			SubmissionObservation observation = start(listener, operation, entrance);
			if (observation != SubmissionObservation.NONE) {
				return new GuardedObservation(operation, observation);
			}
		}
		return SubmissionObservation.NONE;
	}

	private static SubmissionObservation start(GateListener listener, String operation, Entrance entrance) {
		try {
			return listener.start(operation, entrance);
		}
		catch (Throwable ex) {
			failed("a submission to operation '" + operation + "', which goes on unobserved", ex);
			return SubmissionObservation.NONE;
		}
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
			failed(event, ex);
		}
	}

	private static void failed(Object event, Throwable ex) {
		logger.warn("A listener failed on " + event, ex);
	}

	/** An observer that fails hides no exception of the application. */
	private record GuardedObservation(String operation,
			SubmissionObservation observation) implements SubmissionObservation {

		@Override
		public Scope openScope() {
			try {
				Scope scope = this.observation.openScope();
				return () -> call(this, scope::close);
			}
			catch (Throwable ex) {
				IdempotencyListeners.failed(this, ex);
				return Scope.NONE;
			}
		}

		@Override
		public void decided(OperationKey key, int attempt, @Nullable Origin origin) {
			call(this, () -> this.observation.decided(key, attempt, origin));
		}

		@Override
		public void failed(@Nullable Throwable failure) {
			call(this, () -> this.observation.failed(failure));
		}

		@Override
		public void end(String outcome) {
			call(this, () -> this.observation.end(outcome));
		}

		@Override
		public String toString() {
			return "the observation of operation '" + this.operation
					+ "', which is incomplete: see its handlers, filters and convention";
		}

	}

}
