package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held: an ephemeral node with a unique name, so a late or repeated
 * request never affects another grant. Each call is one asynchronous request: Curator's
 * blocking calls would wait for a connection, fail when the thread is interrupted, and
 * repeat a request silently; then a missing node could be either lost or just deleted.
 */
final class ZooKeeperGrant implements LockGrant {

	private static final int ANY_VERSION = -1;

	private final ZooKeeperSessionClient zooKeeper;

	private final String lock;

	private final Node node;

	private final Duration lease;

	private final boolean shared;

	private ZooKeeperGrant(ZooKeeperSessionClient zooKeeper, String lock, Node node, Duration lease, boolean shared) {
		this.zooKeeper = zooKeeper;
		this.lock = lock;
		this.node = node;
		this.lease = lease;
		this.shared = shared;
	}

	/** The first grant of a node; the lease is the timeout of its session. */
	static ZooKeeperGrant of(ZooKeeperSessionClient zooKeeper, String lock, String fullPath, Stat created,
			Duration lease, boolean shared) {
		Node node = new Node(fullPath, created);
		ZooKeeperGrant grant = new ZooKeeperGrant(zooKeeper, lock, node, lease, shared);
		node.owner.set(grant);
		return grant;
	}

	/**
	 * The id of the transaction that created the node. These ids grow across the whole
	 * ensemble, restarts and elections included, and below one parent with the sequence
	 * numbers, in whose order locks are granted. Only an empty parent is deleted; if it
	 * is created again, its sequence starts again, but the ids continue to grow.
	 */
	@Override
	public long token() {
		return this.shared ? 0 : this.node.created.getCzxid();
	}

	@Override
	public Duration lease() {
		return this.lease;
	}

	/** The id of the session at whose end the node disappears. */
	long session() {
		return this.node.created.getEphemeralOwner();
	}

	/** A write needs a quorum; a read might return the outdated state of one server. */
	@Override
	public GrantState renew(Duration lease) {
		return request("renew", this::write);
	}

	private void write(ZooKeeper session, CompletableFuture<Code> reply) {
		session.setData(this.node.fullPath, this.zooKeeper.format().data(this.shared), ANY_VERSION,
				(code, path, context, stat) -> reply.complete(Code.get(code)), null);
	}

	@Override
	public GrantState release(Duration stayLocked) {
		if (!stayLocked.isZero()) {
			return keep(stayLocked);
		}
		try {
			return request("release", (session, reply) -> session.delete(this.node.fullPath, ANY_VERSION,
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

	/** Changes the data, so that waiting readers notice; the place remains. */
	@Override
	public @Nullable LockGrant downgrade() {
		ZooKeeperGrant reader = new ZooKeeperGrant(this.zooKeeper, this.lock, this.node, this.lease, true);
		if (!this.node.owner.compareAndSet(this, reader)) {
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

	/** Releases the lock as soon as there is a connection, without waiting for it. */
	void giveBack() {
		CompletableFuture<CuratorEvent> unused = this.zooKeeper.delete(this.node.fullPath);
	}

	private GrantState request(String what, BiConsumer<ZooKeeper, CompletableFuture<Code>> operation) {
		ZooKeeper session = this.zooKeeper.session();
		if (session != null && ZooKeeperSessionClient.id(session) != session()) {
			return GrantState.LOST;
		}
		String task = what + " the lock '" + this.lock + "'";
		if (session == null || !this.zooKeeper.isConnected()) {
			throw this.zooKeeper.unavailable(task, "there is no connection", null);
		}
		CompletableFuture<Code> reply = new CompletableFuture<>();
		if (!this.node.send(this, () -> operation.accept(session, reply))) {
			return GrantState.LOST;
		}
		Code code = await(reply);
		return switch (code) {
			case OK -> GrantState.HELD;
			case NONODE, SESSIONEXPIRED -> GrantState.LOST;
			default -> throw this.zooKeeper.unavailable(task, "the reply is " + code,
					KeeperException.create(code, this.node.fullPath));
		};
	}

	private Code await(CompletableFuture<Code> reply) {
		try (InterruptibleWait wait = InterruptibleWait.throughInterrupts()) {
			return wait.get(reply, TimeUnit.MILLISECONDS.toNanos(this.zooKeeper.replyTimeout()));
		}
		catch (TimeoutException ex) {
			return Code.OPERATIONTIMEOUT;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException("A wait through interrupts was interrupted", ex);
		}
	}

	/**
	 * A downgrade gives the node to another grant. The former grant then sends no more
	 * requests, so that a late renewal cannot undo the downgrade.
	 */
	private static final class Node {

		private final String fullPath;

		private final Stat created;

		/** Keeps requests in the order of the grants; held while a request is queued. */
		private final ReentrantLock sending = new ReentrantLock();

		private final AtomicReference<@Nullable ZooKeeperGrant> owner = new AtomicReference<>();

		private Node(String fullPath, Stat created) {
			this.fullPath = fullPath;
			this.created = created;
		}

		/** Does not wait for a reply; false if the node is not that of the grant. */
		private boolean send(ZooKeeperGrant grant, Runnable request) {
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

}
