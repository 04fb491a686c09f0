package io.idempotent.programs;

import java.time.Duration;

import io.idempotent.store.IdempotencyStore;

/**
 * A store in memory that both nodes share.
 */
final class LocalProgramStore implements ProgramStore {

	private final SwitchableStore.Local local = new SwitchableStore.Local();

	@Override
	public IdempotencyStore client(int node) {
		return this.local.store();
	}

	@Override
	public void flush() {
		this.local.flush();
	}

	@Override
	public void away(boolean now) {
		this.local.store().away(now);
	}

	@Override
	public void pass(Duration time) {
		this.local.pass(time);
	}

	@Override
	public void close() {
		this.local.flush();
	}

}
