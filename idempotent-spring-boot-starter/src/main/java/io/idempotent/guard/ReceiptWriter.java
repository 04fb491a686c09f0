package io.idempotent.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.guard.ReceiptTable.Insertion;
import io.idempotent.store.Effect;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes the receipts of the operations that one transaction belongs to when it is about
 * to be committed, and rolls it back if one of their effects was committed before. Bound
 * to the thread while its transaction is not suspended.
 */
final class ReceiptWriter implements TransactionSynchronization {

	private final ReceiptTable table;

	private final List<Effect> effects = new ArrayList<>();

	/** How many effects there were at each savepoint. */
	private final Map<Object, Integer> savepoints = new HashMap<>();

	private final List<Effect> written = new ArrayList<>();

	private ReceiptWriter(ReceiptTable table) {
		this.table = table;
	}

	/**
	 * Finds the writer of the transaction that is open, or begins with one.
	 * @param table where receipts are written
	 * @return the writer
	 */
	static ReceiptWriter ofTransaction(ReceiptTable table) {
		ReceiptWriter known = (ReceiptWriter) TransactionSynchronizationManager.getResource(table);
		if (known != null) {
			return known;
		}
		ReceiptWriter writer = new ReceiptWriter(table);
		TransactionSynchronizationManager.registerSynchronization(writer);
		writer.resume();
		return writer;
	}

	/**
	 * The transaction belongs to an operation from now on.
	 * @param effect what becomes of it
	 */
	void add(Effect effect) {
		if (!this.effects.contains(effect)) {
			this.effects.add(effect);
		}
	}

	/** Before anybody else prepares the commit: it may come to nothing. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void suspend() {
		TransactionSynchronizationManager.unbindResourceIfPossible(this.table);
	}

	@Override
	public void resume() {
		TransactionSynchronizationManager.bindResource(this.table, this);
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.put(savepoint, this.effects.size());
	}

	/**
	 * Operations that ran since the savepoint have no effect left. One that is older than
	 * this writer stands before all of them.
	 */
	@Override
	public void savepointRollback(Object savepoint) {
		int standing = this.savepoints.getOrDefault(savepoint, 0);
		this.effects.subList(standing, this.effects.size()).clear();
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		if (!readOnly) {
			this.effects.forEach(this::write);
		}
	}

	private void write(Effect effect) {
		if (effect.isCommitted()) {
			return;
		}
		if (effect.isDuplicate() || !insert(effect)) {
			effect.duplicate();
			throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, effect.operation());
		}
		this.written.add(effect);
	}

	private boolean insert(Effect effect) {
		Insertion met = this.table.insert(effect);
		return met == Insertion.NEW || (met == Insertion.OWN && !effect.isInDoubt());
	}

	@Override
	public void afterCompletion(int status) {
		suspend();
		if (status == STATUS_COMMITTED) {
			this.written.forEach(Effect::committed);
		}
		else {
			// A JPA manager takes a commit whose reply was lost for a rollback.
			this.written.forEach(Effect::inDoubt);
		}
	}

}
