package io.idempotent.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Ends a call when the transaction that it was made in has completed; at once without
 * one. Needs spring-tx.
 */
public final class TransactionalCallEnds implements CallEnds {

	@Override
	public void end(OpenCall call) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			call.end(Fate.COMMITTED);
			return;
		}
		Pending pending = ofTransaction();
		if (pending == null) {
			pending = new Pending();
			TransactionSynchronizationManager.registerSynchronization(pending);
			pending.resume();
		}
		pending.add(call);
	}

	@Override
	public @Nullable OpenCall pending(OperationKey key) {
		Pending pending = ofTransaction();
		return (pending != null) ? pending.calls.get(key) : null;
	}

	private @Nullable Pending ofTransaction() {
		return (Pending) TransactionSynchronizationManager.getResource(this);
	}

	/**
	 * The calls of one transaction, bound to its thread while it is not suspended.
	 */
	private final class Pending implements TransactionSynchronization {

		private final Map<OperationKey, OpenCall> calls = new LinkedHashMap<>();

		private final List<OpenCall> sequence = new ArrayList<>();

		/** How many calls there were at each savepoint. */
		private final Map<Object, Integer> savepoints = new HashMap<>();

		void add(OpenCall call) {
			this.calls.put(call.key(), call);
			this.sequence.add(call);
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.sequence.size());
		}

		/**
		 * Calls that were made since the savepoint have failed. One that is older than
		 * the first call stands before all of them.
		 */
		@Override
		public void savepointRollback(Object savepoint) {
			List<OpenCall> undone = this.sequence.subList(this.savepoints.getOrDefault(savepoint, 0),
					this.sequence.size());
			undone.forEach(OpenCall::undone);
			undone.clear();
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResourceIfPossible(TransactionalCallEnds.this);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(TransactionalCallEnds.this, this);
		}

		@Override
		public void afterCompletion(int status) {
			suspend();
			Fate fate = switch (status) {
				case STATUS_COMMITTED -> Fate.COMMITTED;
				case STATUS_ROLLED_BACK -> Fate.ROLLED_BACK;
				default -> Fate.UNKNOWN;
			};
			this.calls.values().forEach((call) -> call.end(fate));
		}

	}

}
