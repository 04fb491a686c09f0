package io.idempotent.engine;

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
 * The proof of effects in the application's own database. A receipt is written in the
 * same transaction as the effect, so that there is one exactly if the effect was
 * committed, and no second effect of the same operation is ever committed beside it,
 * whatever the store of records knows.
 */
public interface Receipts {

	/**
	 * How long receipts are kept at least. An operation may run again once its record and
	 * its receipt are forgotten.
	 * @return the time
	 */
	Duration retention();

	/**
	 * Runs code whose transactions belong to an operation: those that it begins.
	 * @param <T> the type of the code's result
	 * @param <X> the type of exception it throws
	 * @param effect what becomes of it in the database; tells afterwards
	 * @param work the code
	 * @return its result
	 * @throws X what it throws
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(EffectStatus effect, ThrowingSupplier<T, X> work)
			throws X;

	/**
	 * Lets the transaction that is open now belong to an operation from here on, on this
	 * thread and within {@link #execute(EffectStatus, ThrowingSupplier)}.
	 * @param effect what becomes of the operation
	 * @return what becomes of what is done in that transaction from here on; {@code null}
	 * if there is none that may write
	 */
	@Nullable Supplier<TransactionOutcome> join(EffectStatus effect);

	/**
	 * Looks for the receipt of an operation. Blocks for one statement.
	 * @param key which operation
	 * @return the receipt; nothing if no run has committed an effect so far
	 * @throws StoreUnavailableException if the database does not answer
	 */
	Optional<Receipt> find(OperationKey key);

	/**
	 * Keeps an outcome with the receipt of a run that has committed it before it came to
	 * its outcome. Blocks for one statement.
	 * @param effect its effect
	 * @param outcome its outcome
	 * @throws StoreUnavailableException if the database does not answer
	 */
	void keep(EffectStatus effect, Outcome outcome);

	/**
	 * Takes back the receipt of a run that says it had no effect, whatever it has
	 * committed. Blocks for one statement.
	 * @param effect its effect
	 * @throws StoreUnavailableException if the database does not answer
	 */
	void withdraw(EffectStatus effect);

	/**
	 * The proof that a run has committed an effect.
	 *
	 * @param owner who ran
	 * @param attempt the number of its claim, 0 without one
	 * @param outcome its outcome: a tombstone where it was not known before the commit
	 */
	record Receipt(Owner owner, int attempt, Outcome outcome) {
	}

}
