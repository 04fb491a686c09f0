package io.idempotent.lock.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * How one thread waits for one lock: an interrupt either ends the wait, or is remembered
 * and the wait goes on where it was, so that the thread keeps its turn. The engine opens
 * one for each acquire and waits through it; closing it leaves the thread interrupted if
 * it was. Used by one thread.
 */
public final class InterruptibleWait implements AutoCloseable {

	private final boolean interruptible;

	private boolean interrupted;

	private InterruptibleWait(boolean interruptible, boolean interrupted) {
		this.interruptible = interruptible;
		this.interrupted = interrupted;
	}

	/**
	 * Begins to wait for what is requested.
	 * @param request the request
	 * @return how the thread waits
	 * @throws InterruptedException if the thread is interrupted and the request is
	 * interruptible
	 */
	public static InterruptibleWait of(LockRequest request) throws InterruptedException {
		boolean interrupted = Thread.interrupted();
		if (interrupted && request.interruptible()) {
			throw new InterruptedException();
		}
		return new InterruptibleWait(request.interruptible(), interrupted);
	}

	/**
	 * Begins to wait for what has to come, such as the answer to a release.
	 * @return how the thread waits: no interrupt ends it
	 */
	public static InterruptibleWait throughInterrupts() {
		return new InterruptibleWait(false, Thread.interrupted());
	}

	/**
	 * Waits for an answer, however often the thread is interrupted meanwhile if that does
	 * not end the wait.
	 * @param <T> the answer
	 * @param answer the answer on its way
	 * @param nanos how long to wait at most
	 * @return the answer
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 * @throws ExecutionException if there is none
	 * @throws TimeoutException if it does not come in time
	 */
	public <T extends @Nullable Object> T get(Future<T> answer, long nanos)
			throws InterruptedException, ExecutionException, TimeoutException {
		long end = System.nanoTime() + nanos;
		while (true) {
			try {
				return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				interrupted(ex);
			}
		}
	}

	/**
	 * Waits for something else in the same way.
	 * @param nanos how long to wait at most
	 * @param wait waits; called again with the time that is left after an interrupt
	 * @return whether it came in time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 */
	public boolean await(long nanos, Wait wait) throws InterruptedException {
		long end = System.nanoTime() + nanos;
		while (true) {
			try {
				return wait.atMost(Math.max(0, end - System.nanoTime()));
			}
			catch (InterruptedException ex) {
				interrupted(ex);
			}
		}
	}

	/**
	 * Ends the wait after an interrupt, or remembers it.
	 * @param interrupt the interrupt; the thread is no longer interrupted
	 * @throws InterruptedException if the interrupt ends the wait
	 */
	public void interrupted(InterruptedException interrupt) throws InterruptedException {
		if (this.interruptible) {
			throw interrupt;
		}
		this.interrupted = true;
	}

	/**
	 * Leaves the thread interrupted if it was while it waited.
	 */
	@Override
	public void close() {
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A call that waits.
	 */
	@FunctionalInterface
	public interface Wait {

		/**
		 * Waits.
		 * @param nanos how long at most
		 * @return whether what was waited for came in time
		 * @throws InterruptedException if the thread is interrupted
		 */
		boolean atMost(long nanos) throws InterruptedException;

	}

}
