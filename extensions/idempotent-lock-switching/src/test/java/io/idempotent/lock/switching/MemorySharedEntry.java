package io.idempotent.lock.switching;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;

/**
 * A register in memory, which can be away, lose replies and forget.
 */
public final class MemorySharedEntry implements SharedEntry {

	private final boolean mayForget;

	private Value entry = Value.ABSENT;

	private long created = 1;

	private volatile boolean away;

	public MemorySharedEntry() {
		this(false);
	}

	public MemorySharedEntry(boolean mayForget) {
		this.mayForget = mayForget;
	}

	@Override
	public boolean mayForget() {
		return this.mayForget;
	}

	@Override
	public synchronized Value read() {
		requireThere();
		return this.entry;
	}

	@Override
	public synchronized boolean write(long version, String text) {
		requireThere();
		if (this.entry.version() != version) {
			return false;
		}
		this.entry = new Value((version == 0) ? this.created : version + 1, text);
		return true;
	}

	public void away(boolean away) {
		this.away = away;
	}

	public synchronized void forget() {
		this.created = this.entry.version() + 1_000;
		this.entry = Value.ABSENT;
	}

	/** Loses the latest writes, as a failover of Redis does. */
	public synchronized void rollBack(Value former) {
		this.entry = former;
	}

	private void requireThere() {
		if (this.away) {
			throw new LockUnavailableException("the register is away", null);
		}
	}

}
