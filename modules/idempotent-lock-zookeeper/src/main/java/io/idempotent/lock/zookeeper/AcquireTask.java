package io.idempotent.lock.zookeeper;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * Runs a contender on a thread of the engine while the caller waits for it. Curator's
 * calls block for as long as its retry policy allows, so the caller stops waiting when
 * its own time is over or it is interrupted, whatever the state of the connection. A lock
 * that is granted later is released.
 */
final class AcquireTask extends FutureTask<@Nullable ZooKeeperGrant> {

	private final LockContender contender;

	AcquireTask(LockContender contender) {
		super(contender);
		this.contender = contender;
	}

	/**
	 * Waits for the lock.
	 * @param nanos how long to wait for the lock
	 * @param replyTimeout how long to wait for the servers, in milliseconds
	 * @param waiting how the thread waits
	 * @return the grant, or {@code null} if another node holds the lock
	 * @throws InterruptedException if an interrupt ends the wait
	 * @throws ExecutionException if a request to the servers failed
	 * @throws TimeoutException if either time is over
	 */
	@Nullable ZooKeeperGrant await(long nanos, long replyTimeout, InterruptibleWait waiting)
			throws InterruptedException, ExecutionException, TimeoutException {
		long end = System.nanoTime() + nanos;
		try {
			if (!waiting.await(TimeUnit.MILLISECONDS.toNanos(replyTimeout), this.contender::awaitQueuedOrDone)) {
				throw new TimeoutException("no reply within " + replyTimeout + " ms");
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
			giveBack(get());
		}
		catch (ExecutionException ex) {
			// Nothing was granted; the interrupt is reported instead.
		}
	}

	@Override
	protected void set(@Nullable ZooKeeperGrant grant) {
		super.set(grant);
		if (isCancelled()) {
			giveBack(grant);
		}
	}

	@Override
	protected void done() {
		this.contender.done();
	}

	private static void giveBack(@Nullable ZooKeeperGrant grant) {
		if (grant != null) {
			grant.giveBack();
		}
	}

}
