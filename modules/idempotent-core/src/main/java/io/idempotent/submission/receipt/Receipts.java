package io.idempotent.submission.receipt;

import java.time.Duration;
import java.util.Optional;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * Receipts prove effects in the application's own, the guarded database. Effect and
 * receipt share a transaction: so there is a receipt exactly if the effect was committed,
 * and no second effect is committed, even if the store has lost its record.
 */
public interface Receipts {

	/**
	 * The minimum time for which receipts are kept. An operation may run again once its
	 * record and its receipt are deleted.
	 */
	Duration retention();

	/** The transactions that the code starts belong to the operation. */
	<T extends @Nullable Object, X extends Throwable> T execute(AttemptReceipt receipt, ThrowingSupplier<T, X> work)
			throws X;

	/**
	 * Makes the open guarded transaction part of the operation, within {@link #execute},
	 * from the returned point on; {@code null} if none is open. A read-only one decides
	 * nothing.
	 */
	TransactionScope.@Nullable Point join(AttemptReceipt receipt);

	/**
	 * Blocks for one statement.
	 * @throws io.idempotent.store.StoreUnavailableException if the database does not
	 * answer
	 */
	Optional<Receipt> find(OperationKey key);

	/**
	 * Checks whether the database accepts receipts, by default whether one can be looked
	 * up. Leaves no row. Blocks and throws as {@link #find} does.
	 * @param unused a key that no submission uses
	 */
	default void check(OperationKey unused) {
		find(unused);
	}

	/**
	 * Stores an outcome with a receipt that was committed without one. Blocks and throws
	 * as {@link #find} does.
	 */
	void addOutcome(AttemptReceipt receipt, Outcome outcome);

	/** Deletes a receipt without effect. Blocks and throws as {@link #find} does. */
	void withdraw(AttemptReceipt receipt);

	/**
	 * A receipt that was committed.
	 *
	 * @param attempt the number of the attempt, 0 without a claim
	 * @param outcome a tombstone unless it was known in time
	 * @param fingerprint what was submitted; {@code null} if it was not stored
	 * @param age by the clock of the database
	 */
	record Receipt(Owner owner, int attempt, Outcome outcome, @Nullable Fingerprint fingerprint, Duration age) {

		/** Unless it is known to be of another submission with the same key. */
		public boolean mayBeOf(OperationKey key, Fingerprint submitted) {
			return this.fingerprint == null || this.fingerprint.matches(submitted, key);
		}

	}

}
