package io.idempotent.lock.zookeeper;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * Runs a contender on a thread of the engine. Curator's calls block for as long as its
 * retry policy allows, so the caller stops waiting when its own time is over or it is
 * interrupted. A lock that is granted later is released.
 */
final class AcquireTask extends FutureTask<@Nullable ZooKeeperGrant> {

	private final LockContender contender;

	AcquireTask(LockContender contender) {
		super(contender);
		this.contender = contender;
	}

	/** The reply timeout is in milliseconds; null if another node holds the lock. */
	@Nullable ZooKeeperGrant await(long nanos, long replyTimeout, InterruptibleWait waiting)
			throws InterruptedException, ExecutionException, TimeoutException {
		long end = System.nanoTime() + nanos;
		try {
			if (!waiting.await(TimeUnit.MILLISECONDS.toNanos(replyTimeout), this.contender::awaitQueuedOrDone)) {
				throw new TimeoutException("no reply within " + replyTimeout + " ms");
			}
			if (!waiting.await(Math.max(0, end - System.nanoTime()), this::isDoneWithin)) {
				throw new TimeoutException();
			}
			return get();
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

	private boolean isDoneWithin(long nanos) throws InterruptedException {
		try {
			get(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			return true;
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
