package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;

/**
 * The row of a lock for one owner, who may have taken it or not.
 */
final class OwnedRow {

	private final LeaseTable rows;

	private final OwnerIds ids;

	private final String name;

	private final String owner;

	/**
	 * Creates the row for a new owner.
	 * @param rows the table
	 * @param ids creates the id of the owner
	 * @param name the lock
	 */
	OwnedRow(LeaseTable rows, OwnerIds ids, String name) {
		this.rows = rows;
		this.ids = ids;
		this.name = name;
		this.owner = ids.next();
	}

	OwnedRow forNewOwner() {
		return new OwnedRow(this.rows, this.ids, this.name);
	}

	OptionalLong take(Duration lease, RowTurn turn) throws InterruptedException {
		OptionalLong token = this.rows.take(this.name, this.owner, turn.waiter(), lease);
		while (token.isEmpty()) {
			Optional<RowState> state = this.rows.look(this.name, turn.waiter());
			if (state.isEmpty()) {
				this.rows.insert(this.name);
			}
			if (state.isEmpty() || turn.isWorthTrying(state.get())) {
				token = this.rows.take(this.name, this.owner, turn.waiter(), lease);
			}
			if (token.isEmpty() && !turn.await()) {
				break;
			}
		}
		return token;
	}

	/**
	 * Releases the row after a statement failed that may have taken it.
	 * @param failure the failure; that of the release is added to it
	 */
	void withdraw(LockUnavailableException failure) {
		if (failure instanceof NoConnectionException) {
			return;
		}
		try {
			release(Duration.ZERO);
		}
		catch (LockUnavailableException ex) {
			failure.addSuppressed(ex);
		}
	}

	boolean renew(Duration lease) {
		return uninterrupted(() -> this.rows.renew(this.name, this.owner, lease));
	}

	/**
	 * Hands the row over to another owner.
	 * @param next the row for that owner
	 * @param lease the lease of that owner
	 * @return the token, or nothing if this owner no longer had the row or another node
	 * has the next turn
	 */
	OptionalLong handOff(OwnedRow next, Duration lease) {
		return uninterrupted(() -> this.rows.handOff(this.name, this.owner, next.owner, lease));
	}

	boolean release(Duration stayLocked) {
		return uninterrupted(() -> this.rows.release(this.name, this.owner, stayLocked));
	}

	/** An interrupt makes pools refuse, and breaks some connections. */
	private static <T> T uninterrupted(Supplier<T> call) {
		boolean interrupted = Thread.interrupted();
		try {
			return call.get();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
