package io.idempotent.lock.jdbc;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one thread for a row. After some time it reserves the next turn: otherwise
 * a node whose threads never pause would take the row again within less than a
 * millisecond, and a polling node would never find it free. A thread that sees others
 * take the row reserves it sooner. The id of the waiter stays the same for the whole
 * wait, for all owners it tries.
 */
final class RowTurn {

	private static final Log logger = LogFactory.getLog(RowTurn.class);

	/** How long a reservation is valid unless it is repeated. */
	private static final Duration VALID = Duration.ofSeconds(1);

	/** After this time every other node that polls has had an attempt. */
	private static final Duration LONG_WAIT = Duration.ofMillis(250);

	/**
	 * Nodes that have waited for longer reserve the next turn before the one whose turn
	 * has just ended, and all of them before the turn is over.
	 */
	private static final Duration OVERTAKEN_WAIT = Duration.ofMillis(30);

	private final LeaseTable rows;

	private final String name;

	private final String waiter;

	private final PollInterval poll;

	private @Nullable RowState last;

	private boolean overtaken;

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
	 * Processes the state of the row.
	 * @param state the row
	 * @return whether to try to take it, without interfering with the turn of another
	 * node
	 */
	boolean isWorthTrying(RowState state) {
		boolean busy = this.last != null && this.last.token() != state.token();
		this.last = state;
		this.overtaken |= busy;
		this.reserved &= state.nextFree();
		if (busy) {
			this.poll.restart(this.reserved);
		}
		return state.free() && !(busy && state.inTurn());
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
		if (this.last != null && this.last.nextFree()) {
			reserve();
		}
		return this.poll.pause();
	}

	private void reserve() {
		if (this.reserved ? isOld() : this.poll.hasWaited(this.overtaken ? OVERTAKEN_WAIT : LONG_WAIT)) {
			boolean before = this.reserved;
			this.reservedAt = System.nanoTime();
			this.reserved = this.rows.claimTurn(this.name, this.waiter, VALID);
			if (this.reserved != before) {
				this.poll.restart(this.reserved);
			}
		}
	}

	private boolean isOld() {
		return System.nanoTime() - this.reservedAt > VALID.toNanos() / 3;
	}

	/**
	 * Releases the turn, since the thread no longer waits.
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
