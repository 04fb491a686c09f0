package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * A lock that is held: an ephemeral node with the lowest sequence number. Its name is
 * unique, so a late or repeated request never affects another grant.
 *
 * <p>
 * Each call is one asynchronous request. Curator's blocking calls would wait for a
 * connection, fail when the thread is interrupted, and repeat a request silently; then a
 * missing node could be lost as well as just deleted.
 */
final class ZooKeeperGrant implements LockGrant {

	private static final byte[] NO_DATA = new byte[0];

	private static final int ANY_VERSION = -1;

	private final ZooKeeperSessionClient zooKeeper;

	private final String lock;

	private final String path;

	private final String fullPath;

	private final Stat created;

	private final Duration lease;

	/**
	 * Creates the grant.
	 * @param zooKeeper the client
	 * @param lock the name of the lock
	 * @param path the path of the node, below the namespace
	 * @param created the state of the node when it was created
	 * @param lease the timeout of its session
	 */
	ZooKeeperGrant(ZooKeeperSessionClient zooKeeper, String lock, String path, Stat created, Duration lease) {
		this.zooKeeper = zooKeeper;
		this.lock = lock;
		this.path = path;
		this.fullPath = zooKeeper.fullPath(path);
		this.created = created;
		this.lease = lease;
	}

	/**
	 * The id of the transaction that created the node. These ids grow across the whole
	 * ensemble, restarts and elections included. Below one parent they grow with the
	 * sequence numbers, in whose order locks are granted. A parent is deleted only when
	 * it is empty; if it is created again, its sequence starts again, but the ids grow
	 * on.
	 */
	@Override
	public long token() {
		return this.created.getCzxid();
	}

	@Override
	public Duration lease() {
		return this.lease;
	}

	/**
	 * The session with which the grant ends.
	 * @return the id of the session
	 */
	long session() {
		return this.created.getEphemeralOwner();
	}

	/**
	 * Writes to the node. A write that a quorum has accepted shows that session and node
	 * exist; a read might return the outdated state of a single server.
	 */
	@Override
	public Ownership renew(Duration lease) {
		return request("renew", (session, reply) -> session.setData(this.fullPath, NO_DATA, ANY_VERSION,
				(code, path, context, stat) -> reply.complete(Code.get(code)), null));
	}

	@Override
	public Ownership release(Duration keepFor) {
		if (!keepFor.isZero()) {
			return keep(keepFor);
		}
		try {
			return request("release", (session, reply) -> session.delete(this.fullPath, ANY_VERSION,
					(code, path, context) -> reply.complete(Code.get(code)), null));
		}
		catch (LockUnavailableException ex) {
			giveBack();
			throw ex;
		}
	}

	private Ownership keep(Duration time) {
		Ownership ownership = renew(this.lease);
		if (ownership == Ownership.HELD) {
			CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::giveBack);
		}
		return ownership;
	}

	/**
	 * Gives the lock back as soon as there is a connection, without waiting for it.
	 */
	void giveBack() {
		this.zooKeeper.deleteInBackground(this.path);
	}

	private Ownership request(String what, BiConsumer<ZooKeeper, CompletableFuture<Code>> operation) {
		ZooKeeper session = this.zooKeeper.session();
		if (session != null && ZooKeeperSessionClient.id(session) != session()) {
			return Ownership.LOST;
		}
		if (session == null || !this.zooKeeper.isConnected()) {
			throw this.zooKeeper.unavailable(what, this.lock, "there is no connection", null);
		}
		CompletableFuture<Code> reply = new CompletableFuture<>();
		operation.accept(session, reply);
		// join() ignores interrupts, and the timeout ends the wait if no reply comes.
		Code code = reply.completeOnTimeout(Code.OPERATIONTIMEOUT, this.zooKeeper.replyTimeout(), TimeUnit.MILLISECONDS)
			.join();
		return switch (code) {
			case OK -> Ownership.HELD;
			case NONODE, SESSIONEXPIRED -> Ownership.LOST;
			default -> throw this.zooKeeper.unavailable(what, this.lock, "the reply is " + code,
					KeeperException.create(code, this.fullPath));
		};
	}

}
