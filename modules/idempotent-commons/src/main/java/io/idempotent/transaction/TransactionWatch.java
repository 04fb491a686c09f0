package io.idempotent.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Watches the transactions that threads begin while they run some code. Safe for use by
 * several threads. Transactions of other threads, and of managers without a
 * {@link TransactionObserver}, are not noticed.
 */
public final class TransactionWatch {

	private volatile boolean inDoubt;

	/**
	 * Watches the current thread until the scope is closed. Watches around it notice its
	 * transactions, too.
	 */
	public Scope start() {
		Watching watching = new Watching(this, ThreadTransactions.watching());
		ThreadTransactions.watch(watching);
		return watching;
	}

	/**
	 * Whether it is unknown how a transaction ended that may write: it may have been
	 * committed.
	 */
	public boolean isInDoubt() {
		return this.inDoubt;
	}

	/** The code that is watched. */
	public interface Scope extends AutoCloseable {

		@Override
		void close();

	}

	/** What a thread runs, and what is around it. */
	record Watching(TransactionWatch watch, @Nullable Watching outer) implements Scope {

		void began(ObservedTransaction transaction) {
			transaction.afterCompletion(() -> {
				if (transaction.outcome() == TransactionOutcome.IN_DOUBT) {
					for (Watching each = this; each != null; each = each.outer) {
						each.watch.inDoubt = true;
					}
				}
			});
		}

		@Override
		public void close() {
			ThreadTransactions.watch(this.outer);
		}

	}

}
