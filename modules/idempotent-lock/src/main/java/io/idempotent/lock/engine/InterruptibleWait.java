package io.idempotent.lock.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Waits for one lock. An interrupt either ends the wait, or is remembered while the wait
 * continues, so that the thread keeps its place. It ends each wait whose request was
 * cancelled. An engine opens one for each acquire; closing it restores the interrupt
 * status of the thread. Used by one thread.
 */
public final class InterruptibleWait implements AutoCloseable {

	/** Whether an interrupt ends the wait, asked at each interrupt. */
	private final BooleanSupplier ending;

	private boolean interrupted;

	private InterruptibleWait(BooleanSupplier ending, boolean interrupted) {
		this.ending = ending;
		this.interrupted = interrupted;
	}

	/**
	 * Starts to wait for a requested lock.
	 * @param request the request
	 * @return the wait
	 * @throws InterruptedException if the thread is interrupted, and the request is
	 * interruptible or cancelled
	 */
	public static InterruptibleWait of(LockRequest request) throws InterruptedException {
		BooleanSupplier ending = request.interruptible() ? () -> true : request.cancelled();
		boolean interrupted = Thread.interrupted();
		if (interrupted && ending.getAsBoolean()) {
			throw new InterruptedException();
		}
		return new InterruptibleWait(ending, interrupted);
	}

	/**
	 * Starts a wait that no interrupt ends, such as for the response to a release.
	 * @return the wait
	 */
	public static InterruptibleWait throughInterrupts() {
		return new InterruptibleWait(() -> false, Thread.interrupted());
	}

	/**
	 * Waits for a response.
	 * @param <T> the type of the response
	 * @param answer the future response
	 * @param nanos how long to wait at most
	 * @return the response
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 * @throws ExecutionException if the request has failed
	 * @throws TimeoutException if there is no response in time
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
	 * Waits by another blocking call.
	 * @param nanos how long to wait at most
	 * @param wait the call; repeated with the remaining time after an interrupt
	 * @return whether the awaited event has happened in time
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
		if (this.ending.getAsBoolean()) {
			throw interrupt;
		}
		this.interrupted = true;
	}

	/**
	 * Restores the interrupt status if the thread was interrupted while it waited.
	 */
	@Override
	public void close() {
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A blocking call.
	 */
	@FunctionalInterface
	public interface Wait {

		/**
		 * Waits.
		 * @param nanos how long at most
		 * @return whether the awaited event has happened in time
		 * @throws InterruptedException if the thread is interrupted
		 */
		boolean atMost(long nanos) throws InterruptedException;

	}

}
