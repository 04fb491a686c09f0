package io.idempotent.lock.zookeeper;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The node of a held lock, and the grant to which it belongs. A downgrade gives the node
 * to another grant. The former grant then sends no more requests, so that a late renewal
 * cannot undo the downgrade.
 */
final class LockNode {

	private final String path;

	private final Stat created;

	/** Keeps requests in the order of the grants; held while a request is queued. */
	private final ReentrantLock sending = new ReentrantLock();

	private final AtomicReference<@Nullable Object> owner = new AtomicReference<>();

	/**
	 * Creates the node of a grant.
	 * @param path its path, below the namespace
	 * @param created its state when it was created
	 */
	LockNode(String path, Stat created) {
		this.path = path;
		this.created = created;
	}

	String path() {
		return this.path;
	}

	/**
	 * The id of the transaction that created the node. These ids grow across the whole
	 * ensemble, restarts and elections included. Below one parent they grow with the
	 * sequence numbers, in whose order locks are granted. A parent is deleted only when
	 * it is empty; if it is created again, its sequence starts again, but the ids
	 * continue to grow.
	 */
	long transaction() {
		return this.created.getCzxid();
	}

	/**
	 * The session at whose end the node disappears.
	 */
	long session() {
		return this.created.getEphemeralOwner();
	}

	/**
	 * Gives the node to a grant.
	 * @param former the grant to which it belonged, or {@code null}
	 * @param next the grant to which it now belongs
	 * @return {@code false} if it did not belong to the former one
	 */
	boolean give(@Nullable Object former, Object next) {
		return this.owner.compareAndSet(former, next);
	}

	/**
	 * Sends a request for a grant, without waiting for the reply.
	 * @param grant the grant
	 * @param request sends it
	 * @return {@code false} if the node does not belong to the grant
	 */
	boolean send(Object grant, Runnable request) {
		this.sending.lock();
		try {
			if (this.owner.get() != grant) {
				return false;
			}
			request.run();
			return true;
		}
		finally {
			this.sending.unlock();
		}
	}

}
