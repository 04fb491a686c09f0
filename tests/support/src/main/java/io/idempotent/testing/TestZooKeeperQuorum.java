package io.idempotent.testing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingZooKeeperServer;

/**
 * Three real ZooKeepers that vote.
 */
public final class TestZooKeeperQuorum implements AutoCloseable {

	private static final int SERVERS = 3;

	private final TestingCluster cluster;

	private final Deque<TestingZooKeeperServer> alive;

	private final Deque<TestingZooKeeperServer> killed = new ArrayDeque<>();

	private TestZooKeeperQuorum(TestingCluster cluster) {
		this.cluster = cluster;
		this.alive = new ArrayDeque<>(cluster.getServers());
	}

	/**
	 * Starts three servers and waits until they have a leader.
	 * @return the servers
	 */
	public static TestZooKeeperQuorum start() {
		List<InstanceSpec> instances = IntStream.rangeClosed(1, SERVERS).mapToObj(TestZooKeeper::instance).toList();
		TestZooKeeperQuorum quorum = new TestZooKeeperQuorum(new TestingCluster(instances));
		Unchecked.run(quorum.cluster::start);
		ZooKeeperSession.awaitServing(quorum.connectString());
		return quorum;
	}

	public String connectString() {
		return this.cluster.getConnectString();
	}

	/**
	 * Kills a server that is still alive. The others go on, or elect a new leader first.
	 */
	public void killOne() {
		TestingZooKeeperServer server = this.alive.removeFirst();
		server.kill();
		this.killed.add(server);
	}

	/**
	 * Leaves one server alive, which answers nobody.
	 */
	public void killMajority() {
		while (this.alive.size() > 1) {
			killOne();
		}
	}

	/**
	 * Starts every killed server again, with its data, and waits until they have a
	 * leader.
	 */
	public void restart() {
		while (!this.killed.isEmpty()) {
			TestingZooKeeperServer server = this.killed.removeFirst();
			Unchecked.run(server::restart);
			this.alive.addLast(server);
		}
		ZooKeeperSession.awaitServing(connectString());
	}

	@Override
	public void close() {
		Unchecked.run(this.cluster::close);
	}

}
