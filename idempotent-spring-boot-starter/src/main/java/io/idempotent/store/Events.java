package io.idempotent.store;

import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listeners; costs nothing without any.
 */
final class Events {

	private static final Log logger = LogFactory.getLog(IdempotencyListener.class);

	private final List<IdempotencyListener> listeners;

	Events(List<IdempotencyListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void tell(IdempotencyEvent.Type type, String operation, OperationKey key) {
		tell(type, operation, key, null);
	}

	void tell(IdempotencyEvent.Type type, String operation, OperationKey key, @Nullable Refusal refusal) {
		if (this.listeners.isEmpty()) {
			return;
		}
		IdempotencyEvent event = new IdempotencyEvent(type, operation, key.toString(), refusal);
		for (IdempotencyListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Even a LinkageError of a metrics library: the claim that is told of
				// must
				// end, and the sweeper must go on.
				logger.warn("A listener failed on " + event, ex);
			}
		}
	}

}
