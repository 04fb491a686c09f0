package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A point in each transaction that was open and not suspended on a thread. Only these
 * transactions decide on the work after that point. There are several of them if several
 * transaction managers are involved.
 *
 * @param points the position in each transaction, the innermost first
 */
public record TransactionScope(List<TransactionPoint> points) {

	/** The scope outside of transactions. */
	public static final TransactionScope NONE = new TransactionScope(List.of());

	/**
	 * Copies the points.
	 */
	public TransactionScope {
		points = List.copyOf(points);
	}

	/**
	 * Returns the current scope of this thread.
	 * @return the scope; {@link #NONE} also in a callback after the completion of a
	 * transaction, unless another one was started there
	 */
	public static TransactionScope current() {
		List<ObservedTransaction> open = open();
		return open.isEmpty() ? NONE : new TransactionScope(open.stream().map(ObservedTransaction::point).toList());
	}

	/**
	 * The transactions that are open and not suspended on the current thread.
	 * @return the transactions, the innermost first
	 */
	public static List<ObservedTransaction> open() {
		ObservedTransaction each = ThreadTransactions.synchronizing();
		if (each == null) {
			each = ThreadTransactions.innermost();
			if (each == null) {
				return List.of();
			}
		}
		List<ObservedTransaction> open = new ArrayList<>(1);
		for (; each != null; each = each.outer()) {
			if (each.outcome() == TransactionOutcome.OPEN && !each.isSuspended()) {
				open.add(each);
			}
		}
		return open;
	}

	/**
	 * The open transaction of the current thread on a resource.
	 * @param resource the resource as Spring binds it, such as a {@code DataSource}
	 * @return the transaction, or {@code null} if there is none
	 */
	public static @Nullable ObservedTransaction openOn(Object resource) {
		for (ObservedTransaction each : open()) {
			if (each.isOn(resource)) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Whether the current thread runs in a callback after the completion of a
	 * transaction, without another transaction. Writes on the resources of the completed
	 * transaction may not be committed.
	 */
	public static boolean isAfterCompletion() {
		return TransactionSynchronizationManager.isActualTransactionActive() && open().isEmpty();
	}

	/**
	 * The outcome of the work after this point.
	 * @return the outcome that all transactions share; {@link TransactionOutcome#OPEN}
	 * while one of them is open, {@link TransactionOutcome#IN_DOUBT} if they differ,
	 * {@code null} outside of transactions
	 */
	public @Nullable TransactionOutcome outcome() {
		TransactionOutcome common = null;
		for (TransactionPoint point : this.points) {
			TransactionOutcome each = point.outcome();
			if (!isCompleted(point)) {
				return TransactionOutcome.OPEN;
			}
			common = (common == null || common == each) ? each : TransactionOutcome.IN_DOUBT;
		}
		return common;
	}

	/**
	 * Whether one of the transactions was rolled back, or rolled back to a savepoint
	 * before this point.
	 * @return whether a part of the work was undone
	 */
	public boolean isUndone() {
		return this.points.stream().anyMatch((point) -> point.outcome() == TransactionOutcome.ROLLED_BACK);
	}

	/**
	 * Whether the outcome of one of the transactions is in doubt.
	 * @return whether one is in doubt, even if others are open
	 */
	public boolean isInDoubt() {
		return this.points.stream().anyMatch((point) -> point.outcome() == TransactionOutcome.IN_DOUBT);
	}

	/**
	 * Whether one of the transactions is not read-only.
	 */
	public boolean isWritable() {
		return this.points.stream().anyMatch((point) -> !point.transaction().isReadOnly());
	}

	/**
	 * Runs code when all transactions have completed; at once if they have, or if there
	 * are none.
	 * @param action the code
	 */
	public void whenCompleted(Runnable action) {
		for (TransactionPoint point : this.points) {
			if (!isCompleted(point)) {
				point.transaction().afterCompletion(() -> whenCompleted(action));
				return;
			}
		}
		action.run();
	}

	private static boolean isCompleted(TransactionPoint point) {
		return point.transaction().outcome() != TransactionOutcome.OPEN;
	}

}
