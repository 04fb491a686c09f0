package io.idempotent.jdbc.receipt;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.EffectStatus;
import io.idempotent.jdbc.receipt.ReceiptTable.Insertion;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionPoint;

/**
 * Writes the receipts of the operations that one transaction belongs to, right before it
 * is committed, and rolls it back if one of their effects was committed before.
 */
final class ReceiptWriter {

	private final ObservedTransaction transaction;

	private final ReceiptTable table;

	private final List<Part> parts = new ArrayList<>(1);

	private final List<Written> written = new ArrayList<>(1);

	private ReceiptWriter(ObservedTransaction transaction, ReceiptTable table) {
		this.transaction = transaction;
		this.table = table;
	}

	/**
	 * Finds the writer of a transaction, or begins with one.
	 * @param transaction a transaction on the guarded database that may write
	 * @param table where receipts are written
	 * @return the writer
	 */
	static ReceiptWriter of(ObservedTransaction transaction, ReceiptTable table) {
		return (ReceiptWriter) transaction.attribute(table, () -> {
			ReceiptWriter writer = new ReceiptWriter(transaction, table);
			transaction.beforeCommit(writer::write);
			transaction.afterCompletion(writer::tell);
			return writer;
		});
	}

	/**
	 * The transaction belongs to an operation from now on.
	 * @param effect what becomes of it
	 * @return where the transaction stands
	 */
	TransactionPoint add(EffectStatus effect) {
		TransactionPoint here = this.transaction.point();
		if (!isStanding(effect)) {
			this.parts.add(new Part(effect, here));
		}
		return here;
	}

	/**
	 * Whether something of the operation was not rolled back to a savepoint from before.
	 */
	private boolean isStanding(EffectStatus effect) {
		return this.parts.stream().anyMatch((part) -> part.effect() == effect && part.since().isOpen());
	}

	private void write() {
		try {
			this.parts.stream().filter((part) -> part.since().isOpen()).map(Part::effect).forEach(this::write);
		}
		catch (RuntimeException | Error ex) {
			// It is rolled back, and was never to be committed.
			this.written.forEach(Written::isOver);
			this.written.clear();
			throw ex;
		}
	}

	private void write(EffectStatus effect) {
		Outcome outcome = effect.outcome();
		if (effect.isCommitted()) {
			if (isWorthKeeping(outcome, effect.kept()) && this.table.keep(effect, outcome)) {
				this.written.add(new Written(effect, outcome, Thread.currentThread()));
			}
			return;
		}
		if (effect.isDuplicate()) {
			throw refused(effect);
		}
		if (effect.isCommittingHere()) {
			throw new IllegalStateException("The receipt of operation '" + effect.operation() + "' (key " + effect.key()
					+ ") is written by a transaction that is being committed by this thread, so that a transaction "
					+ "inside of that commit would wait for it for ever and is rolled back. An entity listener that "
					+ "commits by itself does that: flush before the commit, or commit in another place");
		}
		insert(effect, outcome);
		Written receipt = new Written(effect, outcome, Thread.currentThread());
		effect.committing(receipt.by());
		this.written.add(receipt);
	}

	private void insert(EffectStatus effect, Outcome outcome) {
		Insertion met = this.table.insert(effect, outcome);
		if (met == Insertion.NEW) {
			effect.notCommitted();
		}
		else if (met == Insertion.FOREIGN || effect.isInDoubt()) {
			throw refused(effect);
		}
		else if (isWorthKeeping(outcome, Outcome.TOMBSTONE)) {
			this.table.keep(effect, outcome);
		}
	}

	/** The run committed something before it had come to its outcome. */
	private static boolean isWorthKeeping(Outcome outcome, Outcome kept) {
		return outcome instanceof Outcome.Stored && !(kept instanceof Outcome.Stored);
	}

	private static SubmissionRefusedException refused(EffectStatus effect) {
		effect.duplicate();
		return new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, effect.operation());
	}

	private void tell() {
		for (Written each : this.written) {
			each.isOver();
			if (this.transaction.outcome() == TransactionOutcome.COMMITTED) {
				each.effect().committed(each.outcome());
			}
			else {
				// A JPA manager takes a commit whose reply was lost for a rollback.
				each.effect().inDoubt();
			}
		}
	}

	/**
	 * An operation that the transaction belongs to.
	 *
	 * @param effect what becomes of it
	 * @param since from where on
	 */
	private record Part(EffectStatus effect, TransactionPoint since) {
	}

	/**
	 * A receipt that was written.
	 *
	 * @param effect of which operation
	 * @param outcome what is kept with it
	 * @param by the thread that has written it; another one may complete the transaction
	 */
	private record Written(EffectStatus effect, Outcome outcome, Thread by) {

		void isOver() {
			this.effect.noLongerCommitting(this.by);
		}

	}

}
