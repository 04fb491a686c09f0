package io.idempotent.testing;

import java.util.Map;

import io.idempotent.embedded.Ports;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooKeeper;

/**
 * A real ZooKeeper in this JVM whose sessions can be as short as {@value #TICK_MILLIS}
 * ms, twice.
 */
public final class TestZooKeeper implements AutoCloseable {

	static final int TICK_MILLIS = 200;

	private static final int ANY = -1;

	private final TestingServer server;

	private TestZooKeeper(TestingServer server) {
		this.server = server;
	}

	public static TestZooKeeper start() {
		return new TestZooKeeper(Unchecked.call(() -> new TestingServer(instance(ANY), true)));
	}

	/**
	 * Without a longer maximum every session would be cut to twenty ticks. On a busy disk
	 * a synchronous write may take longer than a client waits for its reply.
	 */
	static InstanceSpec instance(int id) {
		return new InstanceSpec(null, Ports.findFree(), Ports.findFree(), Ports.findFree(), true, id, TICK_MILLIS, ANY,
				Map.of("maxSessionTimeout", "60000", "admin.enableServer", "false", "forceSync", "no"));
	}

	public String connectString() {
		return this.server.getConnectString();
	}

	public int port() {
		return this.server.getPort();
	}

	/**
	 * Stops the server. Data and sessions are kept; sessions do not age meanwhile.
	 */
	public void stop() {
		Unchecked.run(this.server::stop);
	}

	/**
	 * Starts the server again where it was, and stops it before if necessary.
	 */
	public void restart() {
		Unchecked.run(this.server::restart);
		ZooKeeperSession.awaitServing(connectString());
	}

	/**
	 * Expires a client's session: the server forgets it and its ephemeral nodes at once,
	 * the client is told. Returns when both has happened.
	 * @param client the client
	 */
	public void expire(ZooKeeper client) {
		ZooKeeperSession.expire(client, connectString());
	}

	@Override
	public void close() {
		Unchecked.run(this.server::close);
	}

}
