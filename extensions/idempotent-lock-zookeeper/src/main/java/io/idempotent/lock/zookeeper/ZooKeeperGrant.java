package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
record ZooKeeperGrant(ZooKeeperSessionClient zooKeeper, String lock, String path, Stat created, Duration lease,
		boolean shared) implements LockGrant {

	private static final int ANY_VERSION = -1;

	/**
	 * The id of the transaction that created the node. These ids grow across the whole
	 * ensemble, restarts and elections included, and below one parent with the sequence
	 * numbers, in whose order locks are granted. Only an empty parent is deleted; if it
	 * is created again, its sequence starts again, but the ids continue to grow.
	 */
	@Override
	public long token() {
		return this.shared ? 0 : this.created.getCzxid();
	}

	/** The id of the session at whose end the node disappears. */
	long session() {
		return this.created.getEphemeralOwner();
	}

	/** A write needs a quorum; a read might return the outdated state of one server. */
	@Override
	public GrantState renew(Duration lease) {
		return request("renew", (session, reply) -> session.setData(this.path, this.zooKeeper.data(), ANY_VERSION,
				(code, path, context, stat) -> reply.complete(Code.get(code)), null));
	}

	@Override
	public GrantState release(Duration stayLocked) {
		if (!stayLocked.isZero()) {
			return keep(stayLocked);
		}
		try {
			return request("release", (session, reply) -> session.delete(this.path, ANY_VERSION,
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

	/** Releases the lock as soon as there is a connection, without waiting for it. */
	void giveBack() {
		CompletableFuture<CuratorEvent> unused = this.zooKeeper.delete(this.path);
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
		operation.accept(session, reply);
		Code code = await(reply);
		return switch (code) {
			case OK -> GrantState.HELD;
			case NONODE, SESSIONEXPIRED -> GrantState.LOST;
			default ->
				throw this.zooKeeper.unavailable(task, "the reply is " + code, KeeperException.create(code, this.path));
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

}
