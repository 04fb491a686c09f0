package io.idempotent.programs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * A store in memory that both nodes share, and whose clock can be set.
 */
final class LocalProgramStore implements ProgramStore {

	private static final int MANY = 100_000;

	private final AtomicLong skew = new AtomicLong();

	private final SwitchableStore store = new SwitchableStore(empty());

	private LocalIdempotencyStore empty() {
		return new LocalIdempotencyStore(MANY, () -> System.nanoTime() + this.skew.get());
	}

	@Override
	public IdempotencyStore client(int node) {
		return this.store.client();
	}

	@Override
	public void flush() {
		this.store.become(empty());
	}

	@Override
	public void away(boolean now) {
		this.store.away(now);
	}

	@Override
	public void pass(Duration time) {
		this.skew.addAndGet(time.toNanos());
	}

	@Override
	public void close() {
		flush();
	}

}
