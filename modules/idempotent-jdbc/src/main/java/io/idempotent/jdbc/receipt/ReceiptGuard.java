package io.idempotent.jdbc.receipt;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.Receipts;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionPoint;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * Lets a database have the last word on operations: each transaction that is committed
 * inside of one leaves a receipt there, and a transaction that finds the receipt of
 * another attempt is rolled back. Safe for use by many threads.
 *
 * <p>
 * A receipt is one row and one statement for each operation, written on the connection of
 * the transaction as the last thing before its commit; further transactions of the same
 * run need none, or one that adds the result. Two attempts that commit at the same time
 * wait for one another in the database: one of them commits. That is promised for effects
 * in this database, as long as their receipts are kept, and for transactions of the
 * thread that runs the operation, by whatever manager tells {@link ReceiptRegistrar}.
 * Read-only transactions leave none.
 *
 * @see <a href=
 * "https://microservices.io/patterns/communication-style/idempotent-consumer.html">
 * Idempotent consumer, the pattern of which this is the strongest form</a>
 */
public final class ReceiptGuard implements Receipts {

	private final DataSource dataSource;

	private final ReceiptTable table;

	private final Duration retention;

	// Of this guard alone: another application in this JVM has its own.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Running> running = new ThreadLocal<>();

	/**
	 * Creates the guard.
	 * @param dataSource the database that is guarded
	 * @param table the table of receipts
	 * @param retention how long receipts are kept
	 * @param timeout how long a statement outside of the application's transactions may
	 * take, in whole seconds
	 * @throws IllegalArgumentException if the table's name is no plain SQL identifier, or
	 * the timeout is shorter than a second
	 */
	public ReceiptGuard(DataSource dataSource, String table, Duration retention, Duration timeout) {
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.retention = retention;
		this.table = new ReceiptTable(this.dataSource, table, timeout);
	}

	@Override
	public Duration retention() {
		return this.retention;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(EffectStatus effect, ThrowingSupplier<T, X> work)
			throws X {
		Running outer = this.running.get();
		this.running.set(new Running(effect, outer));
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
	public @Nullable Supplier<TransactionOutcome> join(EffectStatus effect) {
		for (ObservedTransaction open : TransactionScope.open()) {
			if (open.isOn(this.dataSource)) {
				TransactionPoint since = takePart(open, effect);
				return (since != null) ? since::outcome : null;
			}
			effect.transactions().addUnguarded();
		}
		return null;
	}

	@Override
	public Optional<Receipt> find(OperationKey key) {
		return this.table.find(key);
	}

	@Override
	public void keep(EffectStatus effect, Outcome outcome) {
		this.table.keepInOwnTransaction(effect.attempt(), outcome);
	}

	@Override
	public void withdraw(EffectStatus effect) {
		this.table.delete(effect.attempt());
	}

	/**
	 * Deletes receipts that are older than their retention, in batches, each a
	 * transaction of its own. Blocks until all are deleted or the thread is interrupted.
	 * @return how many were deleted
	 * @throws io.idempotent.store.StoreUnavailableException if the database does not
	 * answer
	 */
	public long purge() {
		long deleted = 0;
		int batch;
		do {
			batch = this.table.purge(this.retention);
			deleted += batch;
		}
		while (batch == ReceiptTable.BATCH && !Thread.currentThread().isInterrupted());
		return deleted;
	}

	/**
	 * The current thread has just begun a transaction, or a part of one that may be
	 * rolled back to a savepoint. Throws nothing: whoever begins one cannot roll it back
	 * yet.
	 * @param transaction the transaction
	 */
	void began(ObservedTransaction transaction) {
		Running each = this.running.get();
		if (each == null) {
			return;
		}
		boolean guarded = transaction.isOn(this.dataSource);
		for (; each != null; each = each.outer()) {
			if (guarded) {
				takePart(transaction, each.effect());
			}
			else {
				each.effect().transactions().addUnguarded();
			}
		}
	}

	private @Nullable TransactionPoint takePart(ObservedTransaction transaction, EffectStatus effect) {
		effect.transactions().addGuarded();
		return transaction.isReadOnly() ? null : ReceiptWriter.of(transaction, this.table).add(effect);
	}

	/**
	 * What a thread runs.
	 *
	 * @param effect what becomes of it
	 * @param outer the operation around it
	 */
	private record Running(EffectStatus effect, @Nullable Running outer) {
	}

}
