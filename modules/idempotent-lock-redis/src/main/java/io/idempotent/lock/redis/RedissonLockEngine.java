package io.idempotent.lock.redis;

import java.util.function.Supplier;

import org.redisson.api.RedissonClient;

/**
 * Locks in Redis, on a {@link RedissonClient}: one server, Sentinel or Cluster. A lock
 * uses the keys and channels of Redisson's own lock of the same name. So it excludes code
 * that uses {@link RedissonClient#getLock(String)} or
 * {@link RedissonClient#getFencedLock(String)} with this name on the same servers, and
 * releases wake waiting threads on both sides; tokens are counted together with those of
 * fenced locks. To such code the owner of a grant is a thread that does not exist:
 * {@code isLocked()} returns {@code true} and {@code isHeldByCurrentThread()}
 * {@code false}.
 *
 * <p>
 * Taking a free lock, renewing, handing off and releasing are one command each. A waiting
 * thread subscribes to the releases of the lock (Redisson shares a subscription between
 * all threads that wait for the same lock on a client). It tries again when a release is
 * published, when the current lease must have ended, and every 5 seconds, in case a
 * message was lost; twice a second while the subscription is interrupted, or if a name
 * mapper of the client makes the channel inaccessible. If there are replicas, a
 * {@code WAIT} follows each grant in the same round trip, so a grant that one replica has
 * received survives a failover to that replica; with Redisson's setting
 * {@code checkLockSyncedSlaves}, which is on by default, a grant that no replica has
 * received is refused. Renewals and releases do not wait. Redis still replicates
 * asynchronously, so that a lock can be granted twice after a failover: then only a check
 * of the token decides.
 *
 * <p>
 * <b>Fair</b> locks are granted to waiting nodes in the order in which they asked. All
 * nodes must agree whether a name is fair: a release of a lock that is not fair does not
 * wake nodes that wait for it fairly until their 5 seconds are over. A waiting node that
 * died loses its place after 30 seconds. {@link RedissonClient#getFairLock(String)} is
 * excluded too, but has its own order, since it measures the age of a place differently.
 *
 * <p>
 * A token is at least the time in units of 16 microseconds by the clock of the server. So
 * it grows even if Redis has lost all data, unless that clock is set back. A released
 * lock leaves only its token counter behind, a small key that expires a day after the
 * last grant. Redisson's fenced locks, which count from 1, then start again; do not let
 * them share a name with these locks.
 *
 * <p>
 * The engine gets the client with the first call, on the calling thread, and never closes
 * it. It does not use Redisson's watchdog. A call ends within Redisson's timeouts
 * ({@code timeout}, {@code subscriptionTimeout}; the first call connects, which takes up
 * to {@code connectTimeout} for each of {@code retryAttempts}), and never waits longer
 * than 30 seconds for a reply. An attempt to take a lock that could not be sent is
 * repeated for a second, or once if the first connection takes longer.
 *
 * <p>
 * If the reply to an attempt is lost, the lock may be taken or not. A call that may wait
 * then asks again within its time, for a second or once: it gets the lock that it already
 * has, with the same token. A call that may not wait, or gets no reply again, fails, and
 * the lock is given back, again and again if that gets lost too. If it arrives before the
 * attempt, the lock stays taken for its lease.
 */
public final class RedissonLockEngine extends AbstractRedisLockEngine {

	/**
	 * Creates the engine. Does not connect.
	 * @param client supplies the client, the same one each time
	 * @param node the name of this node, which is part of the owner of each lock, so that
	 * operators can tell which node holds it; or an empty text
	 */
	public RedissonLockEngine(Supplier<? extends RedissonClient> client, String node) {
		super("redisson", () -> new RedissonTransport(client.get()), node);
	}

}
