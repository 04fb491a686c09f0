package io.idempotent.engine;

import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.store.OperationKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listeners, and the log at debug level; costs nothing without either.
 */
final class IdempotencyListeners {

	private static final Log logger = LogFactory.getLog(IdempotencyEvent.class);

	private final List<IdempotencyListener> listeners;

	IdempotencyListeners(List<IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void tell(IdempotencyEvent.Type type, String operation, OperationKey key) {
		tell(type, operation, key, null);
	}

	void tell(IdempotencyEvent.Type type, String operation, OperationKey key, @Nullable Refusal refusal) {
		if (!this.listeners.isEmpty() || logger.isDebugEnabled()) {
			tell(new IdempotencyEvent(type, operation, key.toString(), refusal));
		}
	}

	void tellUnnamed(String operation, Refusal refusal) {
		if (!this.listeners.isEmpty() || logger.isDebugEnabled()) {
			tell(new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, operation, "", refusal));
		}
	}

	private void tell(IdempotencyEvent event) {
		if (logger.isDebugEnabled()) {
			logger.debug("Operation '" + event.operation() + "' (key " + (event.key().isEmpty() ? "none" : event.key())
					+ "): " + event.type() + ((event.refusal() != null) ? " " + event.refusal() : ""));
		}
		for (IdempotencyListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Even a LinkageError: the claim must end, and the sweeper go on.
				logger.warn("A listener failed on " + event, ex);
			}
		}
	}

}
