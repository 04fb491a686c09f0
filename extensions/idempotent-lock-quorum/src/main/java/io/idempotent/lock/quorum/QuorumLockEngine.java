package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.quorum.Ballot.Retry;
import org.jspecify.annotations.Nullable;

/**
 * Locks on several independent Redis servers: the Redlock algorithm, with fencing tokens.
 * A lock is held while a majority of the servers has it. So a minority may be away, slow
 * or disconnected, and no replication is involved.
 *
 * <p>
 * A lock is acquired in two phases. First all servers are asked at once to take it; those
 * that do reply with their counter, the highest token that they have accepted. If a
 * majority has taken it, the token of this grant is above all their counters, and the
 * servers that still have the lock for this owner raise their counters to it. The lock is
 * granted if a majority has done so before the lease ends. Any two majorities share a
 * server, which has the lock for one owner at a time, so the token is greater than that
 * of each earlier grant, <b>whatever clocks and pauses do, as long as that server does
 * not lose its memory</b>. The grant is valid for the lease less the time that the phases
 * took and an allowance for clocks that run at different rates.
 *
 * <p>
 * If servers lose their memory (a restart without persistence), others may acquire a lock
 * that is held, unless such a server stays away for as long as the longest lease. The
 * token orders the two even then if one server of both majorities remembers it; if none
 * does, it does so as long as the clocks of the servers agree, since a token is at least
 * the median of their times in units of 16 microseconds. Redis expires keys by the wall
 * clock of the server: if a majority of these clocks is set forward, a lock ends before
 * its lease. A fence refuses the writes of the former holder in all these cases; see
 * {@link LockGrant#token()}.
 *
 * <p>
 * A waiting thread subscribes to the releases of the lock on all servers, tries again
 * when enough of them have published one, when enough leases must have ended, and about
 * once a second. If several nodes have split the servers between them, each releases what
 * it has and retries after a random delay. Locks are not fair, and not handed over. There
 * are no read locks.
 *
 * <p>
 * The engine creates its clients, and closes them. It connects when the first lock is
 * taken. A server that is not there is connected to later, at most once a second.
 */
public final class QuorumLockEngine implements LockEngine {

	private final QuorumServers servers;

	private final QuorumOwners owners;

	private final QuorumInspector inspector;

	/**
	 * Creates the engine. Does not connect.
	 * @param servers the URLs of the servers,
	 * {@code redis[s]://[[user]:password@]host[:port][/database]}: an odd number, at
	 * least three. They must be independent, no replicas of each other, and all nodes
	 * must name the same ones
	 * @param timeout how long a reply is waited for; short compared to leases
	 * @param node the name of this node, which may be empty. It is part of the owner of
	 * each lock, so that operators can tell which node holds it
	 * @throws IllegalArgumentException if these servers cannot form a quorum, or the
	 * time-out is below a millisecond; the message contains no user and no password
	 */
	public QuorumLockEngine(List<String> servers, Duration timeout, String node) {
		this(QuorumServers.of(servers, timeout), node);
	}

	QuorumLockEngine(QuorumServers servers, String node) {
		this.servers = servers;
		this.owners = new QuorumOwners(node);
		this.inspector = new QuorumInspector(servers, this.owners);
	}

	@Override
	public String name() {
		return "quorum";
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		requireSupport(request.mode());
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			this.servers.connect(waiting);
			long end = System.nanoTime() + wait.toNanos();
			LockGrant grant = begin(request).await(waiting);
			return (grant != null || wait.isZero()) ? grant : acquireWhenReleased(request, end, waiting);
		}
	}

	private @Nullable LockGrant acquireWhenReleased(LockRequest request, long end, InterruptibleWait waiting)
			throws InterruptedException {
		try (ReleaseMessages messages = new ReleaseMessages(this.servers, request.name())) {
			messages.begin(Math.min(end - System.nanoTime(), this.servers.timeout()), waiting);
			int splits = 0;
			while (true) {
				// At once after the subscription, which a release may have preceded.
				messages.reset();
				Ballot ballot = begin(request);
				LockGrant grant = ballot.await(waiting);
				long left = end - System.nanoTime();
				if (grant != null || left <= 0) {
					return grant;
				}
				Retry retry = ballot.retry(splits);
				splits = retry.isSplit() ? splits + 1 : 0;
				messages.await(retry, left, waiting);
			}
		}
	}

	private Ballot begin(LockRequest request) {
		return new Ballot(this.servers, request.name(), this.owners.next(), request.lease());
	}

	@Override
	public LockState inspect(String name) {
		return this.inspector.inspect(name);
	}

	@Override
	public boolean forceRelease(String name) {
		return this.inspector.forceRelease(name);
	}

	@Override
	public void close() {
		this.servers.close();
	}

}
