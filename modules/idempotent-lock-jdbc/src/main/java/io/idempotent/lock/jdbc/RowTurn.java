package io.idempotent.lock.jdbc;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The wait of one thread for a row, with the right to the next turn once it has waited
 * long enough: a node whose threads never pause takes the row again within less than a
 * millisecond, and one that only looks now and then would never find it free. It has a
 * name of its own, which it keeps while the thread waits, whatever owners it tries.
 */
final class RowTurn {

	private static final Log logger = LogFactory.getLog(RowTurn.class);

	/** How long a waiter is believed to be alive without asking again. */
	private static final Duration VALID = Duration.ofSeconds(1);

	private final LeaseTable rows;

	private final String name;

	private final String waiter;

	private final PollInterval poll;

	private boolean mine;

	private long askedAt;

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
	 * Waits until it is time to look at the row again.
	 * @return whether to look again, which is so once after the time has run out
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean await() throws InterruptedException {
		if (this.poll.isOver()) {
			return false;
		}
		if (this.poll.hasWaitedLong() && (!this.mine || isOld())) {
			this.askedAt = System.nanoTime();
			this.mine = this.rows.claimTurn(this.name, this.waiter, VALID);
		}
		return this.mine ? this.poll.pauseShortly() : this.poll.pause();
	}

	private boolean isOld() {
		return System.nanoTime() - this.askedAt > VALID.toNanos() / 3;
	}

	/**
	 * Leaves the turn to others, since the thread no longer waits.
	 */
	void leave() {
		if (this.mine) {
			try {
				this.rows.leaveTurn(this.name, this.waiter);
			}
			catch (LockUnavailableException ex) {
				logger.debug("The next turn for the lock '" + this.name + "' could not be left to others; it ends in "
						+ VALID.toMillis() + "ms", ex);
			}
		}
	}

}
