package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.support.Interrupts;

/**
 * The row of a lock for one exclusive owner.
 */
final class OwnedRow extends LockRow {

	private final LockTables tables;

	private final String name;

	private final String owner;

	/**
	 * Creates the row for a new owner.
	 * @param tables the tables
	 * @param name the lock
	 */
	OwnedRow(LockTables tables, String name) {
		this.tables = tables;
		this.name = name;
		this.owner = tables.ids().next();
	}

	OwnedRow forNewOwner() {
		return new OwnedRow(this.tables, this.name);
	}

	@Override
	OptionalLong tryTake(Duration lease, String waiter) {
		return this.tables.leases().take(this.name, this.owner, waiter, lease);
	}

	@Override
	Optional<RowState> look(String waiter) {
		return this.tables.leases().look(this.name, waiter);
	}

	@Override
	void insert() {
		this.tables.leases().insert(this.name);
	}

	@Override
	boolean renew(Duration lease) {
		return Interrupts.deferDuring(() -> this.tables.leases().renew(this.name, this.owner, lease));
	}

	@Override
	boolean release(Duration stayLocked) {
		return Interrupts.deferDuring(() -> this.tables.leases().release(this.name, this.owner, stayLocked));
	}

	/**
	 * Hands the row over to another owner.
	 * @param next the row for that owner
	 * @param lease the lease of that owner
	 * @return the token, or nothing if this owner no longer had the row or another node
	 * has the next turn
	 */
	OptionalLong handOff(OwnedRow next, Duration lease) {
		return Interrupts.deferDuring(() -> this.tables.leases().handOff(this.name, this.owner, next.owner, lease));
	}

	/**
	 * Makes the owner a reader.
	 * @param lease the lease of the reader
	 * @return the row of the reader, or nothing if this owner no longer had the row
	 */
	Optional<SharedRow> downgrade(Duration lease) {
		SharedRow reader = new SharedRow(this.tables, this.name);
		return Interrupts
			.deferDuring(() -> this.tables.readers().downgrade(this.name, this.owner, reader.reader(), lease))
					? Optional.of(reader) : Optional.empty();
	}

}
