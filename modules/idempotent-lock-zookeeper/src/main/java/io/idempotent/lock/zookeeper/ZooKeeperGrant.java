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
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held: an ephemeral node with the lowest sequence number, or a reader's.
 * Its name is unique, so a late or repeated request never affects another grant.
 *
 * <p>
 * Each call is one asynchronous request. Curator's blocking calls would wait for a
 * connection, fail when the thread is interrupted, and repeat a request silently; then a
 * missing node could be either lost or just deleted.
 */
final class ZooKeeperGrant implements LockGrant {

	private static final int ANY_VERSION = -1;

	private final ZooKeeperSessionClient zooKeeper;

	private final String lock;

	private final LockNode node;

	private final Duration lease;

	private final boolean shared;

	private final String fullPath;

	/**
	 * Creates the grant.
	 * @param zooKeeper the client
	 * @param lock the name of the lock
	 * @param node the node of the grant
	 * @param lease the timeout of its session
	 * @param shared whether the grant is shared
	 */
	ZooKeeperGrant(ZooKeeperSessionClient zooKeeper, String lock, LockNode node, Duration lease, boolean shared) {
		this.zooKeeper = zooKeeper;
		this.lock = lock;
		this.node = node;
		this.lease = lease;
		this.shared = shared;
		this.fullPath = zooKeeper.fullPath(node.path());
	}

	/**
	 * Makes this the first grant of its node.
	 * @return this grant
	 */
	ZooKeeperGrant begin() {
		this.node.give(null, this);
		return this;
	}

	/**
	 * The id of the transaction that created the node.
	 */
	@Override
	public long token() {
		return this.shared ? 0 : this.node.transaction();
	}

	@Override
	public Duration lease() {
		return this.lease;
	}

	/**
	 * The session at whose end the grant ends.
	 * @return the id of the session
	 */
	long session() {
		return this.node.session();
	}

	/**
	 * Writes to the node. A write that a quorum has accepted shows that session and node
	 * exist; a read might return the outdated state of a single server.
	 */
	@Override
	public GrantState renew(Duration lease) {
		return request("renew", this::write);
	}

	private void write(ZooKeeper session, CompletableFuture<Code> reply) {
		session.setData(this.fullPath, this.zooKeeper.data().of(this.shared), ANY_VERSION,
				(code, path, context, stat) -> reply.complete(Code.get(code)), null);
	}

	@Override
	public GrantState release(Duration keepFor) {
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

	private GrantState keep(Duration time) {
		GrantState state = renew(this.lease);
		if (state == GrantState.HELD) {
			CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::giveBack);
		}
		return state;
	}

	/**
	 * Changes the data of the node, so that waiting readers notice the downgrade, without
	 * changing its place.
	 */
	@Override
	public @Nullable LockGrant downgrade() {
		ZooKeeperGrant reader = new ZooKeeperGrant(this.zooKeeper, this.lock, this.node, this.lease, true);
		if (!this.node.give(this, reader)) {
			return null;
		}
		try {
			return (reader.request("downgrade", reader::write) == GrantState.HELD) ? reader : null;
		}
		catch (LockUnavailableException ex) {
			giveBack();
			throw ex;
		}
	}

	/**
	 * Releases the lock as soon as there is a connection, without waiting for it.
	 */
	void giveBack() {
		this.zooKeeper.deleteInBackground(this.node.path());
	}

	private GrantState request(String what, BiConsumer<ZooKeeper, CompletableFuture<Code>> operation) {
		ZooKeeper session = this.zooKeeper.session();
		if (session != null && ZooKeeperSessionClient.id(session) != session()) {
			return GrantState.LOST;
		}
		if (session == null || !this.zooKeeper.isConnected()) {
			throw this.zooKeeper.unavailable(what, this.lock, "there is no connection", null);
		}
		CompletableFuture<Code> reply = new CompletableFuture<>();
		if (!this.node.send(this, () -> operation.accept(session, reply))) {
			return GrantState.LOST;
		}
		// join() ignores interrupts, and the timeout ends the wait if no reply comes.
		Code code = reply.completeOnTimeout(Code.OPERATIONTIMEOUT, this.zooKeeper.replyTimeout(), TimeUnit.MILLISECONDS)
			.join();
		return switch (code) {
			case OK -> GrantState.HELD;
			case NONODE, SESSIONEXPIRED -> GrantState.LOST;
			default -> throw this.zooKeeper.unavailable(what, this.lock, "the reply is " + code,
					KeeperException.create(code, this.fullPath));
		};
	}

}
