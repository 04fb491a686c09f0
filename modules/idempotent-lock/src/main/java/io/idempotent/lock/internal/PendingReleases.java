package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockGrant;
import io.idempotent.support.RecurringWork;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Sends each release to the engine until it is confirmed, or until the lease has ended.
 */
final class PendingReleases implements RecurringWork.Policy<PendingReleases.Release> {

	private static final Log logger = LogFactory.getLog(PendingReleases.class);

	private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

	private final String engine;

	private final RecurringWork<Release> releases;

	PendingReleases(String engine, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.engine = engine;
		this.releases = new RecurringWork<>(this, scheduler, workers);
	}

	void add(LockGrant grant, Duration stayLocked) {
		long now = System.nanoTime();
		this.releases.addDue(new Release(grant, now + stayLocked.toNanos(), now + grant.lease().toNanos()));
	}

	@Override
	public boolean isDue(Release release) {
		return true;
	}

	@Override
	public long nanosToNextCheck(Release release) {
		return INTERVAL;
	}

	@Override
	public void perform(Release release) {
		boolean confirmed = false;
		try {
			release.grant.release(Duration.ofNanos(Math.max(0, release.freeAt - System.nanoTime())));
			confirmed = true;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not send a release to the lock engine '" + this.engine + "'", ex);
		}
		finally {
			if (confirmed || release.leaseEndsAt - System.nanoTime() <= 0) {
				this.releases.remove(release);
			}
		}
	}

	/** Times are by {@link System#nanoTime()}. */
	record Release(LockGrant grant, long freeAt, long leaseEndsAt) {

		@Override
		public String toString() {
			return "release with token " + this.grant.token();
		}

	}

}
