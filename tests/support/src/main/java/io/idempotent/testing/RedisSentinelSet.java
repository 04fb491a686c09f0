package io.idempotent.testing;

import java.util.List;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;

/**
 * A real master, its replica, and the Sentinels that put the replica in its place when it
 * dies.
 */
public final class RedisSentinelSet implements AutoCloseable {

	/** What the Sentinels call the master. */
	public static final String MASTER_NAME = "orders";

	private final RedisPair pair;

	private final List<EmbeddedRedis> sentinels;

	private RedisSentinelSet(RedisPair pair, List<EmbeddedRedis> sentinels) {
		this.pair = pair;
		this.sentinels = sentinels;
	}

	/**
	 * Starts three Sentinels of which two must agree.
	 * @return the servers, which know each other
	 */
	public static RedisSentinelSet start() {
		return start(3, 2);
	}

	/**
	 * Starts a master, a replica and their Sentinels.
	 * @param sentinels how many Sentinels
	 * @param quorum how many of them must agree that the master is dead
	 * @return the servers, which know each other
	 */
	public static RedisSentinelSet start(int sentinels, int quorum) {
		RedisPair pair = startPair();
		String[] configuration = configuration(pair.master(), quorum);
		RedisSentinelSet set = new RedisSentinelSet(pair,
				Stream.generate(() -> EmbeddedRedis.startSentinel(configuration)).limit(sentinels).toList());
		set.sentinels.forEach((sentinel) -> RedisTalk.awaitAnswer(sentinel, "INFO sentinel",
				"status=ok,address=.*,slaves=1,sentinels=" + sentinels));
		return set;
	}

	/** A Sentinel asks for replicas when it starts, and then every ten seconds. */
	private static RedisPair startPair() {
		EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");
		RedisPair pair = new RedisPair(master, EmbeddedRedis.start("--replicaof", master.host() + " " + master.port()));
		pair.awaitLink();
		return pair;
	}

	private static String[] configuration(EmbeddedRedis master, int quorum) {
		return new String[] {
				"sentinel monitor " + MASTER_NAME + " " + master.host() + " " + master.port() + " " + quorum,
				"sentinel down-after-milliseconds " + MASTER_NAME + " 500",
				"sentinel failover-timeout " + MASTER_NAME + " 3000" };
	}

	/**
	 * Where the Sentinels are.
	 * @return host and port of each
	 */
	public List<String> sentinelAddresses() {
		return this.sentinels.stream().map((sentinel) -> sentinel.host() + ":" + sentinel.port()).toList();
	}

	public EmbeddedRedis master() {
		return this.pair.master();
	}

	public EmbeddedRedis replica() {
		return this.pair.replica();
	}

	/**
	 * Waits until the replica has everything that the master was told before.
	 */
	public void awaitReplication() {
		this.pair.awaitReplication();
	}

	/**
	 * Kills the master ({@code kill -9}), and waits for nothing.
	 */
	public void killMaster() {
		this.pair.master().stop();
	}

	/**
	 * Waits until the replica is the master and all Sentinels say so. {@link #master()}
	 * and {@link #replica()} have changed places then.
	 */
	public void awaitFailover() {
		this.pair.awaitPromotion();
		this.sentinels.forEach((sentinel) -> RedisTalk.awaitAnswer(sentinel,
				"SENTINEL GET-MASTER-ADDR-BY-NAME " + MASTER_NAME, "\r\n" + master().port() + "\r\n"));
	}

	@Override
	public void close() {
		this.sentinels.forEach(EmbeddedRedis::close);
		this.pair.close();
	}

}
