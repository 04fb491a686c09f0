package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.support.LeaseRenewer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Repeats the releases that an engine has not confirmed, until the lease has ended. */
final class PendingReleases implements LeaseRenewer.Policy<PendingReleases.PendingRelease> {

	private static final Log logger = LogFactory.getLog(PendingReleases.class);

	private final LockEngine engine;

	private final LeaseRenewer<PendingRelease> releases;

	PendingReleases(LockEngine engine, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.engine = engine;
		this.releases = new LeaseRenewer<>(this, scheduler, workers);
	}

	void add(LockGrant grant, Duration stayLocked) {
		long now = System.nanoTime();
		this.releases.addDue(new PendingRelease(grant, now + stayLocked.toNanos(), now + grant.lease().toNanos()));
	}

	@Override
	public boolean isDue(PendingRelease release) {
		return true;
	}

	@Override
	public long nanosToNextCheck(PendingRelease release) {
		return Long.MAX_VALUE;
	}

	@Override
	public void renew(PendingRelease release) {
		boolean confirmed = false;
		try {
			release.grant.release(Duration.ofNanos(Math.max(0, release.freeAt - System.nanoTime())));
			confirmed = true;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not send a release to the lock engine '" + this.engine.name() + "'", ex);
		}
		finally {
			if (confirmed || release.leaseEndsAt - System.nanoTime() <= 0) {
				this.releases.remove(release);
			}
		}
	}

	record PendingRelease(LockGrant grant, long freeAt, long leaseEndsAt) {

		@Override
		public String toString() {
			return "release with token " + this.grant.token();
		}

	}

}
