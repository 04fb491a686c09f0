package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.jdbc.LockRow.State;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one thread for a row, under one id for all owners it tries. After some
 * time, or if others take the row, it reserves the next turn: otherwise a node whose
 * threads never pause would take the row again within less than a millisecond, and a
 * polling node would never find it free.
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

	private final LockDatabase locks;

	private final String name;

	private final String waiter;

	private final PollInterval poll;

	private @Nullable State last;

	private boolean overtaken;

	private boolean reserved;

	private long reservedAt;

	RowTurn(LockDatabase locks, String name, PollInterval poll) {
		this.locks = locks;
		this.name = name;
		this.waiter = locks.ids().next();
		this.poll = poll;
	}

	/** Waits for the row; returns nothing if it could not be taken in time. */
	OptionalLong take(LockRow row, Duration lease) throws InterruptedException {
		OptionalLong token = row.tryTake(lease, this.waiter);
		while (token.isEmpty()) {
			Optional<State> state = row.look(this.waiter);
			if (state.isEmpty()) {
				row.insert();
			}
			if (state.isEmpty() || isWorthTrying(state.get())) {
				token = row.tryTake(lease, this.waiter);
			}
			if (token.isEmpty() && !await()) {
				break;
			}
		}
		return token;
	}

	/** Without interfering with the turn of another node. */
	private boolean isWorthTrying(State state) {
		boolean busy = this.last != null && this.last.token() != state.token();
		this.last = state;
		this.overtaken |= busy;
		this.reserved &= state.nextFree();
		if (busy) {
			this.poll.restart(this.reserved);
		}
		return state.free() && !(busy && state.inTurn());
	}

	/** Returns {@code false} once the time has run out, after a last attempt. */
	private boolean await() throws InterruptedException {
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
			this.reserved = claim();
			if (this.reserved != before) {
				this.poll.restart(this.reserved);
			}
		}
	}

	/** For a while nobody else can take the row when the current turn is over. */
	private boolean claim() {
		return this.locks.run("reserve the next turn for the lock '" + this.name + "'",
				(session, sql) -> session.update(sql.lease().claimTurn(), this.waiter, LockDatabase.microseconds(VALID),
						this.name, this.waiter) == 1);
	}

	private boolean isOld() {
		return System.nanoTime() - this.reservedAt > VALID.toNanos() / 3;
	}

	void leave() {
		if (this.reserved) {
			try {
				int unused = this.locks.run("give up the next turn for the lock '" + this.name + "'",
						(session, sql) -> session.update(sql.lease().leaveTurn(), this.name, this.waiter));
			}
			catch (LockUnavailableException ex) {
				logger.debug("The next turn for the lock '" + this.name
						+ "' could not be given up; the reservation ends in " + VALID.toMillis() + "ms", ex);
			}
		}
	}

}
