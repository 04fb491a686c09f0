package io.idempotent.testing;

import java.util.List;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.cluster.SlotHash;

/**
 * A real Cluster: three masters, each with a replica that takes its place when it dies.
 */
public final class RedisCluster implements AutoCloseable {

	private static final int SHARDS = 3;

	private static final int NODES = 2 * SHARDS;

	private final List<RedisPair> shards;

	private RedisCluster(List<RedisPair> shards) {
		this.shards = shards;
	}

	/**
	 * Starts six servers and waits until they are a Cluster.
	 * @return the servers
	 */
	public static RedisCluster start() {
		List<ClusterNode> nodes = Stream.generate(ClusterNode::start).limit(NODES).toList();
		join(nodes);
		assign(nodes);
		RedisCluster cluster = new RedisCluster(Stream.iterate(0, (i) -> i + 1)
			.limit(SHARDS)
			.map((i) -> new RedisPair(nodes.get(i).server(), nodes.get(SHARDS + i).server()))
			.toList());
		cluster.shards.forEach(RedisPair::awaitLink);
		cluster.awaitState();
		return cluster;
	}

	private static void join(List<ClusterNode> nodes) {
		ClusterNode first = nodes.get(0);
		for (int i = 0; i < NODES; i++) {
			nodes.get(i).tell("SET-CONFIG-EPOCH " + (i + 1));
			first.meet(nodes.get(i));
		}
		nodes.forEach((node) -> node.awaitNodes(NODES));
	}

	private static void assign(List<ClusterNode> nodes) {
		for (int i = 0; i < SHARDS; i++) {
			nodes.get(i).tell("ADDSLOTSRANGE " + firstSlot(i) + " " + (firstSlot(i + 1) - 1));
			nodes.get(SHARDS + i).tell("REPLICATE " + nodes.get(i).id());
		}
		nodes.forEach((node) -> node.awaitReplicas(SHARDS));
	}

	private static int firstSlot(int shard) {
		return shard * SlotHash.SLOT_COUNT / SHARDS;
	}

	private RedisPair shard(String key) {
		int shard = SHARDS - 1;
		while (SlotHash.getSlot(key) < firstSlot(shard)) {
			shard--;
		}
		return this.shards.get(shard);
	}

	private void awaitState() {
		servers().stream()
			.filter(EmbeddedRedis::isRunning)
			.forEach((server) -> RedisTalk.awaitAnswer(server, "CLUSTER INFO", "cluster_state:ok"));
	}

	/**
	 * Where the Cluster is.
	 * @return host and port of every server, the killed ones too
	 */
	public List<String> addresses() {
		return servers().stream().map((server) -> server.host() + ":" + server.port()).toList();
	}

	/**
	 * All servers, the killed ones too.
	 * @return masters and replicas
	 */
	public List<EmbeddedRedis> servers() {
		return this.shards.stream().flatMap((shard) -> Stream.of(shard.master(), shard.replica())).toList();
	}

	/**
	 * The master that keeps a key.
	 * @param key the key
	 * @return its master
	 */
	public EmbeddedRedis masterOf(String key) {
		return shard(key).master();
	}

	/**
	 * Waits until the replica that has a key has everything that its master was told
	 * before.
	 * @param key the key
	 */
	public void awaitReplicationOf(String key) {
		shard(key).awaitReplication();
	}

	/**
	 * Kills the master that keeps a key ({@code kill -9}), and waits for nothing.
	 * @param key the key
	 */
	public void killMasterOf(String key) {
		masterOf(key).stop();
	}

	/**
	 * Waits until the replica of a key's killed master has become its master, and all
	 * that live agree. {@link #masterOf} tells the new one then.
	 * @param key the key
	 */
	public void awaitFailoverOf(String key) {
		shard(key).awaitPromotion();
		awaitState();
	}

	@Override
	public void close() {
		this.shards.forEach(RedisPair::close);
	}

}
