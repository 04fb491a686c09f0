package io.idempotent.jdbc.receipt;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.receipt.Effect;
import io.idempotent.jdbc.receipt.ReceiptTable.Insertion;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionPoint;
import io.idempotent.transaction.TransactionScope;

/**
 * Writes the receipts of the operations that one transaction belongs to, right before the
 * commit. Rolls the transaction back if one of these operations has already taken effect.
 */
final class ReceiptWriter {

	private final ObservedTransaction transaction;

	private final ReceiptTable table;

	private final ReceiptIdempotencyStore store;

	private final List<Participant> participants = new ArrayList<>(1);

	private final List<WrittenReceipt> written = new ArrayList<>(1);

	private ReceiptWriter(ObservedTransaction transaction, ReceiptTable table, ReceiptIdempotencyStore store) {
		this.transaction = transaction;
		this.table = table;
		this.store = store;
	}

	/** The writer of a transaction on the guarded database that may write. */
	static ReceiptWriter of(ObservedTransaction transaction, ReceiptTable table, ReceiptIdempotencyStore store) {
		return (ReceiptWriter) transaction.attribute(table, () -> {
			ReceiptWriter writer = new ReceiptWriter(transaction, table, store);
			transaction.beforeCommit(writer::write);
			transaction.afterCompletion(writer::updateEffects);
			return writer;
		});
	}

	/** Makes the transaction part of an operation, from the returned point on. */
	TransactionPoint add(Effect effect) {
		TransactionPoint here = this.transaction.point();
		if (!participates(effect)) {
			this.participants.add(new Participant(effect, here));
		}
		return here;
	}

	/** Until the transaction is rolled back to an earlier savepoint. */
	private boolean participates(Effect effect) {
		return this.participants.stream()
			.anyMatch((participant) -> participant.effect() == effect && participant.since().isOpen());
	}

	private void write() {
		try {
			List<Effect> effects = this.participants.stream()
				.filter((participant) -> participant.since().isOpen())
				.map(Participant::effect)
				.filter((effect) -> !effect.isExempt())
				.toList();
			Set<ClaimId> inserted = insertTogether(effects.stream().filter((effect) -> !effect.isCommitted()).toList());
			effects.forEach((effect) -> write(effect, inserted.contains(effect.claimId())));
		}
		catch (RuntimeException | Error ex) {
			// The transaction is rolled back, and so are the receipts.
			this.written.clear();
			throw ex;
		}
	}

	/** Returns those that are known to be new: all but those of earlier attempts. */
	private Set<ClaimId> insertTogether(List<Effect> effects) {
		if (effects.size() < 2 || effects.stream().anyMatch(Effect::isDuplicate)) {
			return Set.of();
		}
		effects.forEach(this::requireNoCommitOnThisThread);
		return this.table.insertAll(effects.stream().collect(Collectors.toMap(Effect::claimId, Effect::outcome)));
	}

	private void write(Effect effect, boolean inserted) {
		Outcome outcome = effect.outcome();
		if (effect.isCommitted()) {
			addOutcome(effect, outcome);
			return;
		}
		if (effect.isDuplicate()) {
			throw refused(effect);
		}
		requireNoCommitOnThisThread(effect);
		insert(effect, outcome, inserted);
		this.written.add(new WrittenReceipt(effect, outcome));
	}

	private void addOutcome(Effect effect, Outcome outcome) {
		if (addsResult(outcome, effect.kept()) && this.table.keep(effect.claimId(), outcome)) {
			this.written.add(new WrittenReceipt(effect, outcome));
		}
	}

	private void requireNoCommitOnThisThread(Effect effect) {
		boolean committing = TransactionScope.openOrSuspended()
			.stream()
			.anyMatch((each) -> each.attribute(this.table) instanceof ReceiptWriter other && other.hasWritten(effect));
		if (committing) {
			throw new IllegalStateException("The receipt of " + effect.claimId()
					+ " is written by a transaction that is being committed by this thread, so that a transaction "
					+ "inside of that commit would wait for it for ever and is rolled back. An entity listener that "
					+ "commits by itself does that: flush before the commit, or commit in another place");
		}
	}

	private boolean hasWritten(Effect effect) {
		return this.written.stream().anyMatch((receipt) -> receipt.effect() == effect);
	}

	private void insert(Effect effect, Outcome outcome, boolean inserted) {
		Insertion result = inserted ? Insertion.NEW : this.table.insert(effect.claimId(), outcome);
		if (result == Insertion.NEW) {
			effect.markNotCommitted();
		}
		else if (result == Insertion.FOREIGN || effect.mayStillCommit()) {
			throw refused(effect);
		}
		else if (addsResult(outcome, Outcome.TOMBSTONE)) {
			this.table.keep(effect.claimId(), outcome);
		}
	}

	/** An earlier commit of the attempt has stored its receipt without a result. */
	private static boolean addsResult(Outcome outcome, Outcome kept) {
		return outcome instanceof Outcome.Stored && !(kept instanceof Outcome.Stored);
	}

	private SubmissionRefusedException refused(Effect effect) {
		effect.markDuplicate();
		this.store.duplicate(effect.claimId());
		return new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, effect.claimId().operation());
	}

	private void updateEffects() {
		for (WrittenReceipt receipt : this.written) {
			if (this.transaction.outcome() == TransactionOutcome.COMMITTED) {
				receipt.effect().markCommitted(receipt.outcome());
				this.store.committed(receipt.effect().claimId(), receipt.outcome());
			}
			else {
				// A JPA transaction manager reports a commit whose reply was lost as a
				// rollback.
				receipt.effect().markInDoubt();
			}
		}
	}

	/** The transaction belongs to the operation from {@code since} on. */
	private record Participant(Effect effect, TransactionPoint since) {
	}

	private record WrittenReceipt(Effect effect, Outcome outcome) {
	}

}
