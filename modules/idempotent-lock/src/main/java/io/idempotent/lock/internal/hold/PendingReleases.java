package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.support.LeaseRenewer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Releases that an engine has not confirmed. Each is repeated until it is confirmed, or
 * the lease has ended.
 */
final class PendingReleases {

	private static final Log logger = LogFactory.getLog(PendingReleases.class);

	private final LockEngine engine;

	private final LeaseRenewer<PendingRelease> releases;

	PendingReleases(LockEngine engine, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.engine = engine;
		this.releases = new LeaseRenewer<>(new Retry(), scheduler, workers);
	}

	/**
	 * Repeats a release.
	 * @param grant the grant to release
	 * @param stayLocked how long the lock stays locked from now on
	 */
	void add(LockGrant grant, Duration stayLocked) {
		this.releases.addDue(new PendingRelease(grant, stayLocked));
	}

	private void send(PendingRelease release) {
		boolean confirmed = false;
		try {
			release.send();
			confirmed = true;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not send a release to the lock engine '" + this.engine.name() + "'", ex);
		}
		finally {
			if (confirmed || release.leaseHasEnded()) {
				this.releases.remove(release);
			}
		}
	}

	private final class Retry implements LeaseRenewer.Policy<PendingRelease> {

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
			send(release);
		}

	}

	private static final class PendingRelease {

		/**
		 * A grant without a lease ends with its session. A release of such a grant must
		 * not be repeated for ever.
		 */
		private static final Duration LONGEST = Duration.ofMinutes(10);

		private final LockGrant grant;

		private final long freeAt;

		private final long leaseEndsAt;

		PendingRelease(LockGrant grant, Duration stayLocked) {
			this.grant = grant;
			long now = System.nanoTime();
			Duration lease = grant.lease();
			this.freeAt = now + stayLocked.toNanos();
			this.leaseEndsAt = now + ((lease != null) ? lease : LONGEST).toNanos();
		}

		void send() {
			this.grant.release(Duration.ofNanos(Math.max(0, this.freeAt - System.nanoTime())));
		}

		/** Whether there is nothing left to release. */
		boolean leaseHasEnded() {
			return this.leaseEndsAt - System.nanoTime() <= 0;
		}

		@Override
		public String toString() {
			return "release with token " + this.grant.token();
		}

	}

}
