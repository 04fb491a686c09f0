package io.idempotent.method.internal.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.OperationKey;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionPoint;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call when the transactions in which its body began have completed, at once if
 * there are none: its end is never recorded before its effect is committed.
 */
public class CallCompletion {

	private static final Log logger = LogFactory.getLog(CallCompletion.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	/** The transactions that are open now decide on the call. */
	public void bodyBegins(CallExecution call) {
		if (TransactionScope.isAfterCompletion() && this.warned.compareAndSet(false, true)) {
			logger.warn("Operation '" + call.operation().name() + "' runs in a callback after the completion of a "
					+ "transaction, without one of its own: it is recorded when it returns, although its writes may "
					+ "not be committed. Give it a transaction of its own (Propagation.REQUIRES_NEW)");
		}
		call.within(TransactionScope.current());
	}

	/** Ends a call now, or when the transactions that decide on it have completed. */
	public void end(CallExecution call) {
		for (TransactionPoint point : call.scope().points()) {
			wait(call, point.transaction());
		}
		call.scope().whenCompleted(call::end);
	}

	private void wait(CallExecution call, ObservedTransaction transaction) {
		Pending pending = (Pending) transaction.attribute(this, () -> new Pending(new ConcurrentHashMap<>()));
		CallExecution before = pending.calls.put(call.key(), call);
		if (before != null && before != call) {
			before.repeatedBy(call);
		}
	}

	/** A call on this thread that is not recorded yet, because a transaction is open. */
	public @Nullable CallExecution pending(OperationKey key) {
		for (ObservedTransaction open : TransactionScope.open()) {
			Pending pending = (Pending) open.attribute(this);
			CallExecution call = (pending != null) ? pending.calls.get(key) : null;
			if (call != null) {
				return call;
			}
		}
		return null;
	}

	private record Pending(Map<OperationKey, CallExecution> calls) {
	}

}
