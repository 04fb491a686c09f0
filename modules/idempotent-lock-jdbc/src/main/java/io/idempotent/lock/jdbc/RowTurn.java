package io.idempotent.lock.jdbc;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The wait of one thread for a row. After some time it reserves the next turn: without
 * that, a node whose threads never pause would take the row again within less than a
 * millisecond, and a node that polls would never find it free. The id of the waiter stays
 * the same for the whole wait, whatever owners it tries.
 */
final class RowTurn {

	private static final Log logger = LogFactory.getLog(RowTurn.class);

	/** How long a reservation is valid unless it is repeated. */
	private static final Duration VALID = Duration.ofSeconds(1);

	private final LeaseTable rows;

	private final String name;

	private final String waiter;

	private final PollInterval poll;

	private boolean reserved;

	private long reservedAt;

	RowTurn(LeaseTable rows, String name, String waiter, PollInterval poll) {
		this.rows = rows;
		this.name = name;
		this.waiter = waiter;
		this.poll = poll;
	}

	String waiter() {
		return this.waiter;
	}

	/**
	 * Waits until it is time to check the row again.
	 * @return whether to check again, which is also true once after the time has run out
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean await() throws InterruptedException {
		if (this.poll.isOver()) {
			return false;
		}
		if (this.poll.hasWaitedLong() && (!this.reserved || isOld())) {
			this.reservedAt = System.nanoTime();
			this.reserved = this.rows.claimTurn(this.name, this.waiter, VALID);
		}
		return this.reserved ? this.poll.pauseShortly() : this.poll.pause();
	}

	private boolean isOld() {
		return System.nanoTime() - this.reservedAt > VALID.toNanos() / 3;
	}

	/**
	 * Gives the turn up, since the thread no longer waits.
	 */
	void leave() {
		if (this.reserved) {
			try {
				this.rows.leaveTurn(this.name, this.waiter);
			}
			catch (LockUnavailableException ex) {
				logger.debug("The next turn for the lock '" + this.name
						+ "' could not be given up; the reservation ends in " + VALID.toMillis() + "ms", ex);
			}
		}
	}

}
