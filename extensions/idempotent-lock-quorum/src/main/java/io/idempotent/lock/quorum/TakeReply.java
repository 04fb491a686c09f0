package io.idempotent.lock.quorum;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one server replies to an attempt to take a lock.
 *
 * @param granted whether the lock was free and belongs to this owner now
 * @param counter the highest token that the server has accepted, if granted
 * @param clock the time of the server in units of 16 microseconds, if granted
 * @param millisLeft how long the lock stays taken, if not granted
 * @param owner the owner of the lock, if not granted
 */
record TakeReply(boolean granted, long counter, long clock, long millisLeft, @Nullable String owner) {

	static TakeReply of(List<Object> reply) {
		return ((Long) reply.get(0) == 1) ? new TakeReply(true, (Long) reply.get(1), (Long) reply.get(2), 0, null)
				: new TakeReply(false, 0, 0, (Long) reply.get(1), (String) reply.get(2));
	}

}
