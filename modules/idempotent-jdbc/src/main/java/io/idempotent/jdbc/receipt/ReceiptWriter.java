package io.idempotent.jdbc.receipt;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.jdbc.receipt.ReceiptTable.Insertion;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionOutcome;
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

	private boolean commitHasBegun;

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
			transaction.afterCompletion(writer::updateReceipts);
			return writer;
		});
	}

	/**
	 * Makes the transaction part of an operation, from the returned point on. If the
	 * commit has begun, as in a flush of JPA, the receipt is written now, without a
	 * result.
	 */
	TransactionScope.Point add(AttemptReceipt receipt) {
		TransactionScope.Point here = this.transaction.point();
		if (!participates(receipt)) {
			this.participants.add(new Participant(receipt, here));
			if (this.commitHasBegun && !receipt.isExempt()) {
				write(receipt, false);
			}
		}
		return here;
	}

	/** Until the transaction is rolled back to an earlier savepoint. */
	private boolean participates(AttemptReceipt receipt) {
		for (Participant each : this.participants) {
			if (each.receipt() == receipt && each.since().isOpen()) {
				return true;
			}
		}
		return false;
	}

	private void write() {
		this.commitHasBegun = true;
		try {
			List<AttemptReceipt> receipts = receipts();
			Set<ClaimId> inserted = (receipts.size() > 1) ? insertTogether(receipts) : Set.of();
			receipts.forEach((receipt) -> write(receipt, inserted.contains(receipt.claimId())));
		}
		catch (RuntimeException | Error ex) {
			// The transaction is rolled back, and so are the receipts.
			this.written.clear();
			throw ex;
		}
	}

	private List<AttemptReceipt> receipts() {
		List<AttemptReceipt> receipts = new ArrayList<>(this.participants.size());
		for (Participant each : this.participants) {
			if (each.since().isOpen() && !each.receipt().isExempt()) {
				receipts.add(each.receipt());
			}
		}
		return receipts;
	}

	/** Returns those that are known to be new: all but those of earlier attempts. */
	private Set<ClaimId> insertTogether(List<AttemptReceipt> all) {
		List<AttemptReceipt> receipts = all.stream().filter((receipt) -> !receipt.isCommitted()).toList();
		if (receipts.size() < 2 || receipts.stream().anyMatch(AttemptReceipt::hasEarlierEffect)) {
			return Set.of();
		}
		receipts.forEach(this::requireNoCommitOnThisThread);
		return this.table.insertAll(
				receipts.stream().collect(Collectors.toMap(AttemptReceipt::claimId, AttemptReceipt::outcomeToCommit)));
	}

	private void write(AttemptReceipt receipt, boolean inserted) {
		Outcome outcome = receipt.outcomeToCommit();
		if (receipt.isCommitted()) {
			addOutcome(receipt, outcome);
			return;
		}
		if (receipt.hasEarlierEffect()) {
			throw refused(receipt);
		}
		requireNoCommitOnThisThread(receipt);
		insert(receipt, outcome, inserted);
		this.written.add(new WrittenReceipt(receipt, outcome));
	}

	private void addOutcome(AttemptReceipt receipt, Outcome outcome) {
		if (addsResult(outcome, receipt.committedOutcome()) && this.table.addOutcome(receipt.claimId(), outcome)) {
			this.written.add(new WrittenReceipt(receipt, outcome));
		}
	}

	private void requireNoCommitOnThisThread(AttemptReceipt receipt) {
		for (ObservedTransaction each : TransactionScope.openOrSuspended()) {
			if (each.attribute(this.table) instanceof ReceiptWriter other && other.hasWritten(receipt)) {
				throw new IllegalStateException("The receipt of " + receipt.claimId()
						+ " is written by a transaction that is being committed by this thread, so that a transaction "
						+ "inside of that commit would wait for it for ever and is rolled back. An entity listener that "
						+ "commits by itself does that: flush before the commit, or commit in another place");
			}
		}
	}

	private boolean hasWritten(AttemptReceipt receipt) {
		for (WrittenReceipt each : this.written) {
			if (each.receipt() == receipt) {
				return true;
			}
		}
		return false;
	}

	private void insert(AttemptReceipt receipt, Outcome outcome, boolean inserted) {
		Insertion result = inserted ? Insertion.NEW : this.table.insert(receipt.claimId(), outcome);
		if (result == Insertion.NEW) {
			receipt.markNotCommitted();
		}
		else if (result == Insertion.FOREIGN || receipt.isUnconfirmed()) {
			throw refused(receipt);
		}
		else if (addsResult(outcome, Outcome.TOMBSTONE)) {
			this.table.addOutcome(receipt.claimId(), outcome);
		}
	}

	/** An earlier commit of the attempt has stored its receipt without a result. */
	private static boolean addsResult(Outcome outcome, Outcome kept) {
		return outcome instanceof Outcome.Stored && !(kept instanceof Outcome.Stored);
	}

	private SubmissionRefusedException refused(AttemptReceipt receipt) {
		receipt.markEarlierEffect();
		this.store.refused(receipt.claimId());
		return new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, receipt.claimId().operation());
	}

	private void updateReceipts() {
		for (WrittenReceipt each : this.written) {
			if (this.transaction.outcome() == TransactionOutcome.COMMITTED) {
				each.receipt().markCommitted(each.outcome());
				this.store.committed(each.receipt().claimId(), each.outcome());
			}
			else {
				// A JPA transaction manager reports a commit whose reply was lost as a
				// rollback.
				each.receipt().markInDoubt();
			}
		}
	}

	/** The transaction belongs to the operation from {@code since} on. */
	private record Participant(AttemptReceipt receipt, TransactionScope.Point since) {
	}

	private record WrittenReceipt(AttemptReceipt receipt, Outcome outcome) {
	}

}
