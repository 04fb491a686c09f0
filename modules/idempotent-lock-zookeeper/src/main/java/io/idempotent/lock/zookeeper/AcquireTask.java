package io.idempotent.lock.zookeeper;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * A candidate on a thread of the engine, and the caller who waits for it. Curator asks in
 * the foreground, for as long as its retry policy likes and by the wall clock; the caller
 * leaves when its own time is over or it is interrupted, whatever becomes of the
 * connection. Whoever finds the other gone cleans up.
 */
final class AcquireTask extends FutureTask<@Nullable ZooKeeperGrant> {

	private final LockContender candidate;

	AcquireTask(LockContender candidate) {
		super(candidate);
		this.candidate = candidate;
	}

	/**
	 * Waits for the lock.
	 * @param nanos how long to wait for a holder
	 * @param patience how long to wait for the servers, in milliseconds
	 * @param waiting how the thread waits
	 * @return the grant, or {@code null} if somebody else held the lock
	 * @throws InterruptedException if an interrupt ends the wait
	 * @throws ExecutionException if the servers could not be asked
	 * @throws TimeoutException if either time is over
	 */
	@Nullable ZooKeeperGrant await(long nanos, long patience, InterruptibleWait waiting)
			throws InterruptedException, ExecutionException, TimeoutException {
		long end = System.nanoTime() + nanos;
		try {
			if (!waiting.await(TimeUnit.MILLISECONDS.toNanos(patience), this.candidate::awaitLine)) {
				throw new TimeoutException("no answer within " + patience + "ms");
			}
			return waiting.get(this, Math.max(0, end - System.nanoTime()));
		}
		catch (TimeoutException ex) {
			if (!cancel(true)) {
				return get();
			}
			throw ex;
		}
		catch (InterruptedException ex) {
			if (!cancel(true)) {
				giveBack();
			}
			throw ex;
		}
	}

	private void giveBack() throws InterruptedException {
		try {
			abandon(get());
		}
		catch (ExecutionException ex) {
			// There is nothing to give back, and an interrupt comes first.
		}
	}

	@Override
	protected void set(@Nullable ZooKeeperGrant grant) {
		super.set(grant);
		if (isCancelled()) {
			abandon(grant);
		}
	}

	@Override
	protected void done() {
		this.candidate.leaveLine();
	}

	private static void abandon(@Nullable ZooKeeperGrant grant) {
		if (grant != null) {
			grant.abandon();
		}
	}

}
