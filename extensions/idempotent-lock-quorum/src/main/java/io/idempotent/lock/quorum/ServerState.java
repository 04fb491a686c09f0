package io.idempotent.lock.quorum;

import java.util.List;

/**
 * What one server knows of a lock.
 *
 * @param owner the owner, or an empty text if the lock is free there
 * @param millisLeft how long the lock stays taken
 * @param counter the highest token that the server has accepted, or 0
 */
record ServerState(String owner, long millisLeft, long counter) {

	static ServerState of(List<Object> reply) {
		return new ServerState((String) reply.get(0), (Long) reply.get(1), (Long) reply.get(2));
	}

}
