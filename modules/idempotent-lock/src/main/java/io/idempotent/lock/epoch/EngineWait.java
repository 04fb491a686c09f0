package io.idempotent.lock.epoch;

/**
 * A thread that waits at the engine of a term for a lock. Used by that thread; cancelled
 * by another one.
 */
public final class EngineWait implements AutoCloseable {

	private final Term term;

	private final Thread thread = Thread.currentThread();

	private volatile boolean cancelled;

	private boolean interrupted;

	EngineWait(Term term) {
		this.term = term;
	}

	/**
	 * Whether the wait is over, since the engine is no longer in force.
	 * @return whether it was cancelled
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

	/** Called under the lock of the term, so not after {@link #close()}. */
	void cancel() {
		if (!this.cancelled) {
			this.cancelled = true;
			this.thread.interrupt();
		}
	}

	/**
	 * Tells that the engine has ended the wait because of an interrupt.
	 * @return whether it was cancelled. If not, the interrupt was meant for the thread
	 */
	public boolean wasInterrupted() {
		this.interrupted = true;
		return this.cancelled;
	}

	/**
	 * Ends the wait. An interrupt that cancelled it and that the engine has not noticed
	 * is cleared.
	 */
	@Override
	public void close() {
		if (!this.term.canEnd()) {
			return;
		}
		this.term.endWait(this);
		if (this.cancelled && !this.interrupted) {
			Thread.interrupted();
		}
	}

}
