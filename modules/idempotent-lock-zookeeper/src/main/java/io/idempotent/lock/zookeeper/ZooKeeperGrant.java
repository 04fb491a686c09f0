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
 * An ephemeral node that was the first of its line. Nobody else knows its name, so what
 * is done to it late or twice touches no other grant.
 *
 * <p>
 * The servers are asked by single asynchronous requests: Curator's own calls would wait
 * for a connection, repeat themselves unseen, so that a missing node no longer told
 * whether it was lost or just deleted, and give up when the thread is interrupted.
 */
final class ZooKeeperGrant implements LockGrant {

	private static final byte[] NOTHING = new byte[0];

	private static final int ANY_VERSION = -1;

	private final ZooKeeperSessionClient ensemble;

	private final String lock;

	private final String path;

	private final String fullPath;

	private final Stat created;

	private final Duration lease;

	/**
	 * Creates the grant.
	 * @param ensemble the servers
	 * @param lock the name of the lock
	 * @param path where the node is, below the namespace
	 * @param created what the servers say of its creation
	 * @param lease the timeout of its session
	 */
	ZooKeeperGrant(ZooKeeperSessionClient ensemble, String lock, String path, Stat created, Duration lease) {
		this.ensemble = ensemble;
		this.lock = lock;
		this.path = path;
		this.fullPath = ensemble.fullPath(path);
		this.created = created;
		this.lease = lease;
	}

	/**
	 * The transaction that created the node. These numbers grow over the whole ensemble,
	 * restarts and elections included. Below one parent they grow with the sequence
	 * numbers, by whose order locks are granted; and a parent is deleted only when it is
	 * empty, so that its next life, whose sequence starts again, has greater ones.
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
	 * The session the grant lives with.
	 * @return its number
	 */
	long session() {
		return this.created.getEphemeralOwner();
	}

	/**
	 * Writes to the node: what a quorum has agreed to shows that session and node live,
	 * where a read might be answered by a server that has fallen behind.
	 */
	@Override
	public Standing renew(Duration lease) {
		return ask("renew", (session, answer) -> session.setData(this.fullPath, NOTHING, ANY_VERSION,
				(code, path, context, stat) -> answer.complete(Code.get(code)), null));
	}

	@Override
	public Standing release(Duration keepFor) {
		if (!keepFor.isZero()) {
			return keep(keepFor);
		}
		try {
			return ask("release", (session, answer) -> session.delete(this.fullPath, ANY_VERSION,
					(code, path, context) -> answer.complete(Code.get(code)), null));
		}
		catch (LockUnavailableException ex) {
			abandon();
			throw ex;
		}
	}

	private Standing keep(Duration time) {
		Standing standing = renew(this.lease);
		if (standing == Standing.HELD) {
			CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::abandon);
		}
		return standing;
	}

	/**
	 * Gives the lock back as soon as the servers can be asked, and does not wait for it.
	 */
	void abandon() {
		this.ensemble.deleteInBackground(this.path);
	}

	private Standing ask(String what, BiConsumer<ZooKeeper, CompletableFuture<Code>> question) {
		ZooKeeper session = this.ensemble.session();
		if (session != null && ZooKeeperSessionClient.id(session) != session()) {
			return Standing.LOST;
		}
		if (session == null || !this.ensemble.isConnected()) {
			throw this.ensemble.unavailable(what, this.lock, "there is no connection", null);
		}
		CompletableFuture<Code> answer = new CompletableFuture<>();
		question.accept(session, answer);
		// Joined, not gotten: neither an interrupt nor a silent server leaves it unheard.
		Code code = answer.completeOnTimeout(Code.OPERATIONTIMEOUT, this.ensemble.patience(), TimeUnit.MILLISECONDS)
			.join();
		return switch (code) {
			case OK -> Standing.HELD;
			case NONODE, SESSIONEXPIRED -> Standing.LOST;
			default -> throw this.ensemble.unavailable(what, this.lock, "the answer is " + code,
					KeeperException.create(code, this.fullPath));
		};
	}

}
