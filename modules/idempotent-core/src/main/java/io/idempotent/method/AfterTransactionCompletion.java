package io.idempotent.method;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.OperationKey;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionPoint;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call when the transactions in which its body began have completed; at once if
 * there are none. Needs spring-tx.
 */
public final class AfterTransactionCompletion implements CallCompletion {

	private static final Log logger = LogFactory.getLog(AfterTransactionCompletion.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	@Override
	public void bodyBegins(CallExecution call) {
		if (TransactionScope.isAfterCompletion() && this.warned.compareAndSet(false, true)) {
			logger.warn("Operation '" + call.operation() + "' runs in a callback after the completion of a "
					+ "transaction, without one of its own: it is recorded when it returns, although its writes may "
					+ "not be committed. Give it a transaction of its own (Propagation.REQUIRES_NEW)");
		}
		call.within(new Scope(TransactionScope.current()));
	}

	@Override
	public void end(CallExecution call) {
		if (call.scope() instanceof Scope within) {
			for (TransactionPoint point : within.transactions.points()) {
				wait(call, point.transaction());
			}
			within.transactions.whenCompleted(call::end);
		}
		else {
			call.end();
		}
	}

	private void wait(CallExecution call, ObservedTransaction transaction) {
		Pending pending = (Pending) transaction.attribute(this, () -> new Pending(new ConcurrentHashMap<>()));
		CallExecution before = pending.calls.put(call.key(), call);
		if (before != null && before != call) {
			before.repeatedBy(call);
		}
	}

	@Override
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

	/**
	 * The calls that wait for the completion of one transaction.
	 *
	 * @param calls the calls by their keys
	 */
	private record Pending(Map<OperationKey, CallExecution> calls) {
	}

	private record Scope(TransactionScope transactions) implements CallScope {

		@Override
		public @Nullable TransactionOutcome outcome() {
			return this.transactions.outcome();
		}

		@Override
		public boolean isUndone() {
			return this.transactions.isUndone();
		}

		@Override
		public boolean isInDoubt() {
			return this.transactions.isInDoubt();
		}

		@Override
		public boolean isWritable() {
			return this.transactions.isWritable();
		}

	}

}
