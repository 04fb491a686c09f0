package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.lock.LockUnavailableException;

/**
 * The row of a lock for one owner, who may or may not have taken it.
 */
abstract sealed class LockRow permits OwnedRow, SharedRow {

	/**
	 * Takes the row, and waits for it if necessary.
	 * @param lease the lease
	 * @param turn the wait
	 * @return the token, or nothing if the row could not be taken in time
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	final OptionalLong take(Duration lease, RowTurn turn) throws InterruptedException {
		OptionalLong token = tryTake(lease, turn.waiter());
		while (token.isEmpty()) {
			Optional<RowState> state = look(turn.waiter());
			if (state.isEmpty()) {
				insert();
			}
			if (state.isEmpty() || turn.isWorthTrying(state.get())) {
				token = tryTake(lease, turn.waiter());
			}
			if (token.isEmpty() && !turn.await()) {
				break;
			}
		}
		return token;
	}

	abstract OptionalLong tryTake(Duration lease, String waiter);

	abstract Optional<RowState> look(String waiter);

	abstract void insert();

	/**
	 * Renews the lease.
	 * @param lease the lease
	 * @return whether the owner still had the row
	 */
	abstract boolean renew(Duration lease);

	/**
	 * Releases the row.
	 * @param stayLocked how long it stays taken from now
	 * @return whether the owner still had the row
	 */
	abstract boolean release(Duration stayLocked);

	/**
	 * Releases the row after the failure of a statement that may have taken it.
	 * @param failure the failure; that of the release is added to it
	 */
	final void withdraw(LockUnavailableException failure) {
		if (failure instanceof LockFailures.NoConnectionException) {
			return;
		}
		try {
			release(Duration.ZERO);
		}
		catch (LockUnavailableException ex) {
			failure.addSuppressed(ex);
		}
	}

}
