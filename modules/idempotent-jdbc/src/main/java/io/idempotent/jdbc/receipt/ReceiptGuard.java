package io.idempotent.jdbc.receipt;

import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordEncryption;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * Prevents a second effect of an operation in one database, the guarded database. Each
 * transaction of an operation leaves a receipt there when it commits, and a transaction
 * that finds the receipt of another attempt is rolled back. Safe for use by many threads.
 *
 * <p>
 * A receipt is one row and one statement for each operation, written on the connection of
 * the transaction as the last statement before its commit. Further transactions of the
 * same attempt need no receipt, or one statement that adds the result. If two attempts
 * commit at the same time, one waits for the other in the database, and only one of them
 * commits. This holds for effects in this database, as long as their receipts are kept,
 * and for transactions of the thread that runs the operation, if their transaction
 * manager has a {@link ReceiptRegistrar} as listener. Read-only transactions leave no
 * receipt.
 *
 * @see <a href=
 * "https://microservices.io/patterns/communication-style/idempotent-consumer.html">
 * Idempotent consumer, the pattern that this class implements in its strongest form</a>
 */
public final class ReceiptGuard implements Receipts {

	private final DataSource dataSource;

	private final ReceiptTable table;

	private final Duration retention;

	private final ReceiptIdempotencyStore store;

	// Not static, so that applications in one JVM do not share it.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Running> running = new ThreadLocal<>();

	/**
	 * Creates the guard.
	 * @param dataSource the guarded database
	 * @param table the table of receipts
	 * @param retention how long receipts are kept
	 * @param timeout how long a statement outside of the application's transactions may
	 * take, in whole seconds
	 * @param encryption encrypts the outcomes that are stored with receipts
	 * @throws IllegalArgumentException if the table's name is no plain SQL identifier, or
	 * the timeout is shorter than a second
	 */
	public ReceiptGuard(DataSource dataSource, String table, Duration retention, Duration timeout,
			RecordEncryption encryption) {
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.retention = retention;
		this.table = new ReceiptTable(this.dataSource, table, timeout, encryption);
		this.store = new ReceiptIdempotencyStore(this.table, retention);
	}

	/**
	 * A store whose only records are these receipts, for an application without another
	 * server. An operation costs one query before it and no commit of its own: its
	 * receipt is committed with its effect, and so is its result, if it is known before
	 * the commit.
	 *
	 * <p>
	 * It promises less than {@link IdempotencyStore} demands. Claims are known to this
	 * JVM only: of two submissions on two nodes at the same time both run, and one is
	 * rolled back. When a node dies, its claims are forgotten at once, and what was
	 * submitted runs again unless there is a receipt. An operation without a transaction
	 * on the guarded database is recorded after it has ended, in one of its own. Keys
	 * cannot be issued or burnt, and an unknown outcome is not recorded.
	 */
	public IdempotencyStore store() {
		return this.store;
	}

	@Override
	public Duration retention() {
		return this.retention;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(AttemptReceipt receipt,
			ThrowingSupplier<T, X> work) throws X {
		Running outer = this.running.get();
		this.running.set(new Running(receipt, outer));
		try {
			return work.get();
		}
		finally {
			if (outer != null) {
				this.running.set(outer);
			}
			else {
				this.running.remove();
			}
		}
	}

	@Override
	public TransactionScope.@Nullable Point join(AttemptReceipt receipt) {
		for (ObservedTransaction open : TransactionScope.open()) {
			if (open.isOn(this.dataSource)) {
				return add(open, receipt);
			}
			receipt.addUnguarded();
		}
		return null;
	}

	@Override
	public Optional<Receipt> find(OperationKey key) {
		return this.table.find(key);
	}

	@Override
	public void check(OperationKey unused) {
		this.table.check();
	}

	@Override
	public void addOutcome(AttemptReceipt receipt, Outcome outcome) {
		this.table.addOutcomeInOwnTransaction(receipt.claimId(), outcome);
	}

	@Override
	public void withdraw(AttemptReceipt receipt) {
		this.table.delete(receipt.claimId());
	}

	/**
	 * Deletes receipts that are older than their retention, in batches, each a
	 * transaction of its own. Blocks until all are deleted or the thread is interrupted.
	 * @return how many were deleted
	 * @throws io.idempotent.store.StoreUnavailableException if the database does not
	 * answer
	 */
	public long purge() {
		return GuardPurge.inBatches(ReceiptStatements.BATCH, () -> this.table.purge(this.retention));
	}

	/** Must not throw: the transaction could not be rolled back yet. */
	void began(ObservedTransaction transaction) {
		Running each = this.running.get();
		if (each == null) {
			return;
		}
		boolean guarded = transaction.isOn(this.dataSource);
		boolean recorded = false;
		for (; each != null; each = each.outer()) {
			recorded |= each.receipt().isExempt();
			if (!guarded) {
				each.receipt().addUnguarded();
			}
			else if (recorded) {
				// A receipt of an operation around it would keep a repeat from reaching
				// it.
				each.receipt().addGuarded();
			}
			else {
				add(transaction, each.receipt());
			}
		}
	}

	private TransactionScope.Point add(ObservedTransaction transaction, AttemptReceipt receipt) {
		receipt.addGuarded();
		return transaction.isReadOnly() ? transaction.point()
				: ReceiptWriter.of(transaction, this.table, this.store).add(receipt);
	}

	/** The operation that a thread runs, and the one around it. */
	private record Running(AttemptReceipt receipt, @Nullable Running outer) {
	}

}
