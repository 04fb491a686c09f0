package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A point in each transaction that was open and not suspended on a thread, one for each
 * transaction manager. Only these transactions decide on the work after that point.
 *
 * @param guarded that of the database with the receipts, which decides alone unless it is
 * read-only; {@code null} if there is none
 */
public record TransactionScope(List<Point> points, @Nullable Point guarded) {

	public static final TransactionScope NONE = new TransactionScope(List.of(), null);

	/** {@link #NONE} also in a callback after a completion, if no other one started. */
	public static TransactionScope current() {
		List<Point> points = new ArrayList<>(1);
		for (ObservedTransaction each : open()) {
			points.add(each.point());
		}
		return points.isEmpty() ? NONE : new TransactionScope(List.copyOf(points), null);
	}

	/** The open transactions that are not suspended, the innermost first. */
	public static List<ObservedTransaction> open() {
		List<ObservedTransaction> all = openOrSuspended();
		if (!all.isEmpty()) {
			all.removeIf(ObservedTransaction::isSuspended);
		}
		return all;
	}

	/**
	 * The transactions of the current thread that have not ended, the innermost first.
	 */
	public static List<ObservedTransaction> openOrSuspended() {
		ObservedTransaction each = TransactionObserver.observeActive();
		if (each == null) {
			each = TransactionObserver.innermost();
			if (each == null) {
				return List.of();
			}
		}
		List<ObservedTransaction> all = new ArrayList<>(1);
		for (; each != null; each = each.outer()) {
			if (each.outcome() == TransactionOutcome.OPEN) {
				all.add(each);
			}
		}
		return all;
	}

	/** The open transaction of the current thread on a resource as Spring binds it. */
	public static @Nullable ObservedTransaction openOn(Object resource) {
		for (ObservedTransaction each : open()) {
			if (each.isOn(resource)) {
				return each;
			}
		}
		return null;
	}

	/** Whether the current thread may hold a connection of a transaction. */
	public static boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive() || !open().isEmpty();
	}

	/** If so, writes on resources of the completed transaction may not be committed. */
	public static boolean isAfterCompletion() {
		return TransactionSynchronizationManager.isActualTransactionActive() && open().isEmpty();
	}

	public TransactionScope guardedBy(@Nullable Point other) {
		return new TransactionScope(this.points, other);
	}

	/**
	 * The outcome of the guarded transaction, or that which all share:
	 * {@link TransactionOutcome#OPEN} while one is open,
	 * {@link TransactionOutcome#IN_DOUBT} if they differ, {@code null} without
	 * transactions.
	 */
	public @Nullable TransactionOutcome outcome() {
		TransactionOutcome common = guardedOutcome();
		if (common != null) {
			return common;
		}
		for (Point point : this.points) {
			TransactionOutcome each = point.outcome();
			if (!isCompleted(point)) {
				return TransactionOutcome.OPEN;
			}
			common = (common == null || common == each) ? each : TransactionOutcome.IN_DOUBT;
		}
		return common;
	}

	/** {@code null} if no guarded transaction decides. */
	public @Nullable TransactionOutcome guardedOutcome() {
		return (this.guarded != null && !this.guarded.transaction().isReadOnly()) ? this.guarded.outcome() : null;
	}

	/** It is unknown whether the transactions were committed, and no receipt tells. */
	public boolean isUnknown() {
		return guardedOutcome() == null && outcome() == TransactionOutcome.IN_DOUBT;
	}

	/** Whether what was written within was rolled back, whatever the code returned. */
	public boolean isRolledBack() {
		return outcome() == TransactionOutcome.ROLLED_BACK && !this.points.isEmpty();
	}

	/** Whether a part of the work was rolled back, perhaps to a savepoint. */
	public boolean isUndone() {
		return this.points.stream().anyMatch((point) -> point.outcome() == TransactionOutcome.ROLLED_BACK);
	}

	/** Whether one of the transactions is in doubt, even if others are open. */
	public boolean isInDoubt() {
		return this.points.stream().anyMatch((point) -> point.outcome() == TransactionOutcome.IN_DOUBT);
	}

	/** A guarded transaction decides, even a read-only one. */
	public boolean isWritable() {
		return this.points.stream().anyMatch((point) -> !point.transaction().isReadOnly())
				&& (this.guarded == null || !this.guarded.transaction().isReadOnly());
	}

	/** Runs code when all transactions have completed, at once if there are none. */
	public void whenCompleted(Runnable action) {
		for (Point point : this.points) {
			if (!isCompleted(point)) {
				point.transaction().afterCompletion(() -> whenCompleted(action));
				return;
			}
		}
		action.run();
	}

	private static boolean isCompleted(Point point) {
		return point.transaction().outcome() != TransactionOutcome.OPEN;
	}

	/**
	 * A point in a transaction. Work after this point is undone by a rollback of the
	 * transaction, or by a rollback to a savepoint that was set before the point.
	 */
	public record Point(ObservedTransaction transaction, long time) {

		/** {@link TransactionOutcome#OPEN} while it can change. */
		public TransactionOutcome outcome() {
			return this.transaction.savepoints().isUndone(this.time) ? TransactionOutcome.ROLLED_BACK
					: this.transaction.outcome();
		}

		/** Open, and not rolled back to a savepoint before this point. */
		public boolean isOpen() {
			return outcome() == TransactionOutcome.OPEN;
		}

	}

}
