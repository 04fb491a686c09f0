package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.support.Interrupts;

/**
 * The row of a lock for one reader, who shares it with others.
 */
final class SharedRow extends LockRow {

	private static final OptionalLong NO_TOKEN = OptionalLong.of(0);

	private final LockTables tables;

	private final String name;

	private final String reader;

	/**
	 * Creates the row for a new reader.
	 * @param tables the tables
	 * @param name the lock
	 */
	SharedRow(LockTables tables, String name) {
		this.tables = tables;
		this.name = name;
		this.reader = tables.ids().next();
	}

	String reader() {
		return this.reader;
	}

	@Override
	OptionalLong tryTake(Duration lease, String waiter) {
		return this.tables.readers().enter(this.name, this.reader, waiter, lease) ? NO_TOKEN : OptionalLong.empty();
	}

	@Override
	Optional<RowState> look(String waiter) {
		return this.tables.readers().look(this.name, waiter);
	}

	@Override
	void insert() {
		this.tables.leases().insert(this.name);
	}

	@Override
	boolean renew(Duration lease) {
		return Interrupts.deferDuring(() -> this.tables.readers().renew(this.name, this.reader, lease));
	}

	@Override
	boolean release(Duration stayLocked) {
		return Interrupts.deferDuring(() -> stayLocked.isZero() ? this.tables.readers().leave(this.name, this.reader)
				: this.tables.readers().leave(this.name, this.reader, this.tables.ids().next(), stayLocked));
	}

}
