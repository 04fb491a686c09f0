package io.idempotent.lock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import io.idempotent.function.ThrowingFunction;
import org.jspecify.annotations.Nullable;

/**
 * Waits for one lock. An interrupt either ends the wait, or is remembered while the wait
 * continues, so that the thread keeps its place. The wait also ends, within 100 ms, when
 * its request is cancelled. Cancellation does not use interrupts: an interrupt is always
 * meant for the thread. An engine opens one for each acquire; closing it restores the
 * interrupt status of the thread. Used by one thread.
 */
public final class InterruptibleWait implements AutoCloseable {

	private static final long CHECK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private final boolean interruptible;

	private final BooleanSupplier cancelled;

	private boolean interrupted;

	private InterruptibleWait(boolean interruptible, BooleanSupplier cancelled) {
		this.interruptible = interruptible;
		this.cancelled = cancelled;
	}

	/**
	 * Starts to wait for a requested lock.
	 * @throws InterruptedException if the thread is interrupted and the request is
	 * interruptible, or if the request is cancelled
	 */
	public static InterruptibleWait of(LockRequest request) throws InterruptedException {
		if (request.interruptible() && Thread.interrupted()) {
			throw new InterruptedException();
		}
		InterruptibleWait wait = new InterruptibleWait(request.interruptible(), request.cancelled());
		wait.requireWanted();
		wait.noteInterrupt();
		return wait;
	}

	/** Starts a wait that no interrupt ends, such as for the response to a release. */
	public static InterruptibleWait throughInterrupts() {
		InterruptibleWait wait = new InterruptibleWait(false, LockRequest.NEVER_CANCELLED);
		wait.noteInterrupt();
		return wait;
	}

	/** Waits through interrupts, and restores the interrupt status afterwards. */
	public static <T extends @Nullable Object> T uninterruptibly(
			ThrowingFunction<InterruptibleWait, T, InterruptedException> wait) {
		try (InterruptibleWait waiting = throughInterrupts()) {
			return wait.apply(waiting);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	/** Otherwise it would end the first blocking call. */
	private void noteInterrupt() {
		this.interrupted = !this.interruptible && Thread.interrupted();
	}

	/**
	 * Waits for a response. One that is there already is returned even if the thread is
	 * interrupted; then it stays so.
	 * @param nanos how long to wait at most
	 * @throws InterruptedException if the thread is interrupted and that ends the wait,
	 * or if the request is cancelled
	 * @throws ExecutionException if the request has failed
	 * @throws TimeoutException if there is no response in time
	 */
	public <T extends @Nullable Object> T get(CompletableFuture<T> answer, long nanos)
			throws InterruptedException, ExecutionException, TimeoutException {
		CountDownLatch done = new CountDownLatch(1);
		// Not by get() or join(): on a thread of a ForkJoinPool they run other tasks,
		// which would hold this thread's locks, or wait for one that it releases.
		CompletableFuture<T> unused = answer.whenComplete((result, failure) -> done.countDown());
		if (!await(nanos, (left) -> answer.isDone() || done.await(left, TimeUnit.NANOSECONDS))) {
			throw new TimeoutException();
		}
		return answer.get();
	}

	/**
	 * Waits by another blocking call, which is repeated with the remaining time.
	 * @param nanos how long to wait at most
	 * @param wait waits for the given time in nanoseconds; returns whether the awaited
	 * event has happened, {@code false} if only the time has passed
	 * @return whether the awaited event has happened in time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait,
	 * or if the request is cancelled
	 */
	public boolean await(long nanos, ThrowingFunction<Long, Boolean, InterruptedException> wait)
			throws InterruptedException {
		long end = System.nanoTime() + nanos;
		while (true) {
			requireWanted();
			try {
				if (wait.apply(untilCheck(Math.max(0, end - System.nanoTime())))) {
					return true;
				}
				if (end - System.nanoTime() <= 0) {
					return false;
				}
			}
			catch (InterruptedException ex) {
				interrupted(ex);
			}
		}
	}

	/**
	 * Waits for some time.
	 * @throws InterruptedException if the thread is interrupted and that ends the wait,
	 * or if the request is cancelled
	 */
	public void pause(long nanos) throws InterruptedException {
		boolean unused = await(nanos, (left) -> {
			TimeUnit.NANOSECONDS.sleep(left);
			return false;
		});
	}

	private long untilCheck(long left) {
		return (this.cancelled == LockRequest.NEVER_CANCELLED) ? left : Math.min(left, CHECK_INTERVAL);
	}

	private void requireWanted() throws InterruptedException {
		if (this.cancelled.getAsBoolean()) {
			throw new CancelledException();
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
	 * Throws a failure, unless it is the way in which a client or a pool reports an
	 * interrupt, which then ends the wait or is remembered.
	 * @throws InterruptedException if the interrupt ends the wait
	 */
	public void failed(RuntimeException failure) throws InterruptedException {
		if (!Thread.interrupted()) {
			throw failure;
		}
		interrupted((InterruptedException) new InterruptedException(failure.getMessage()).initCause(failure));
	}

	/** Restores the interrupt status if the thread was interrupted while it waited. */
	@Override
	public void close() {
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** The request was cancelled. Engines treat this like an interrupt. */
	public static final class CancelledException extends InterruptedException {

		private static final long serialVersionUID = 1L;

		CancelledException() {
		}

	}

}
