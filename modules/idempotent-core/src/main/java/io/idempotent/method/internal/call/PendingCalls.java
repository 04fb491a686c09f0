package io.idempotent.method.internal.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.OperationKey;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls that have returned, and are recorded when their transactions have completed: the
 * end of a call is never recorded before its effect is committed.
 */
final class PendingCalls {

	private static final Log logger = LogFactory.getLog(CallExecutor.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	/** Ends it at once if there are no transactions. */
	void endWhenCompleted(CallExecution call) {
		TransactionScope scope = call.decided().transactions();
		for (TransactionScope.Point point : scope.points()) {
			CallsOf calls = (CallsOf) point.transaction().attribute(this, () -> new CallsOf(new ConcurrentHashMap<>()));
			CallExecution before = calls.byKey.put(call.key(), call);
			if (before != null && before != call) {
				before.repeatedBy(call);
			}
		}
		scope.whenCompleted(call::end);
	}

	/** One of this thread, because a transaction is open. */
	@Nullable CallExecution find(OperationKey key) {
		for (ObservedTransaction open : TransactionScope.open()) {
			CallsOf calls = (CallsOf) open.attribute(this);
			CallExecution call = (calls != null) ? calls.byKey.get(key) : null;
			if (call != null) {
				return call;
			}
		}
		return null;
	}

	void warnIfAfterCompletion(CallExecution call) {
		if (TransactionScope.isAfterCompletion() && this.warned.compareAndSet(false, true)) {
			logger.warn("Operation '" + call.operation().name() + "' runs in a callback after the completion of a "
					+ "transaction, without one of its own: it is recorded when it returns, although its writes may "
					+ "not be committed. Give it a transaction of its own (Propagation.REQUIRES_NEW)");
		}
	}

	/** The calls of one transaction. */
	private record CallsOf(Map<OperationKey, CallExecution> byKey) {
	}

}
