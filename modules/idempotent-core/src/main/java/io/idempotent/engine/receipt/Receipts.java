package io.idempotent.engine.receipt;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Receipts prove effects in the application's own database, the guarded database. A
 * receipt is written in the same transaction as the effect. So there is a receipt exactly
 * if the effect was committed, and a second effect of the same operation is never
 * committed, even if the store has lost its record.
 */
public interface Receipts {

	/**
	 * The minimum time for which receipts are kept. An operation may run again once its
	 * record and its receipt are deleted.
	 */
	Duration retention();

	/**
	 * Runs code. The transactions that it starts belong to an operation.
	 * @param <T> the type of the code's result
	 * @param <X> the type of exception it throws
	 * @param effect the status of the operation's effect, which is updated
	 * @param work the code
	 * @throws X what it throws
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(Effect effect, ThrowingSupplier<T, X> work) throws X;

	/**
	 * Makes the open transaction of this thread part of an operation from here on, within
	 * {@link #execute}.
	 * @param effect the status of the operation's effect
	 * @return gives the outcome of that transaction, as far as the work after this point
	 * is concerned; {@link Effect#READ_ONLY} if it may not write, {@code null} if there
	 * is none
	 */
	@Nullable Supplier<TransactionOutcome> join(Effect effect);

	/**
	 * Looks up the receipt of an operation. Blocks for one statement.
	 * @param key the operation key
	 * @return the receipt; nothing if no attempt has committed an effect
	 * @throws StoreUnavailableException if the database does not answer
	 */
	Optional<Receipt> find(OperationKey key);

	/**
	 * Stores an outcome with the receipt of an attempt that was committed without one.
	 * Blocks for one statement.
	 * @param effect the status of its effect
	 * @param outcome its outcome
	 * @throws StoreUnavailableException if the database does not answer
	 */
	void keep(Effect effect, Outcome outcome);

	/**
	 * Deletes the receipt of an attempt that reported that it had no effect. Blocks for
	 * one statement.
	 * @param effect the status of its effect
	 * @throws StoreUnavailableException if the database does not answer
	 */
	void withdraw(Effect effect);

	/**
	 * The proof that an attempt has committed an effect.
	 *
	 * @param owner the owner of the attempt
	 * @param attempt the number of its claim, 0 without one
	 * @param outcome its outcome: a tombstone where it was not known before the commit
	 */
	record Receipt(Owner owner, int attempt, Outcome outcome) {
	}

}
