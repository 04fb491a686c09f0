package io.idempotent.lock.engine;

import io.idempotent.lock.epoch.Term;

/**
 * How a thread of this JVM is admitted by the {@link LocalLockQueue} of a lock.
 */
sealed interface Admission {

	/** The thread asks the engine. */
	Admission ASK_ENGINE = new AskEngine();

	/** The thread is not admitted, since the locks are closed. */
	Admission CLOSED = new Closed();

	/**
	 * The thread asks the engine that is in use.
	 */
	record AskEngine() implements Admission {
	}

	/**
	 * The locks are closed.
	 */
	record Closed() implements Admission {
	}

	/**
	 * The thread asks the engine, and waits in its queue, while another thread of this
	 * JVM holds the lock. It first has to ask the engine that granted the lock to that
	 * thread, so that the two exclude each other even if their options name different
	 * engines.
	 *
	 * @param engine the engine that granted the lock
	 */
	record AskSameEngine(LockEngine engine) implements Admission {
	}

	/**
	 * The holder has handed the lock over, so that the thread need not ask.
	 *
	 * @param term the term in which the engine granted the lock
	 * @param grant the grant
	 * @param requestedAt when it was requested, by {@link System#nanoTime()}
	 */
	record Granted(Term term, LockGrant grant, long requestedAt) implements Admission {
	}

}
