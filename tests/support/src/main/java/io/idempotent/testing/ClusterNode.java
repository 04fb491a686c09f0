package io.idempotent.testing;

import java.util.Arrays;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.embedded.Ports;

import static org.awaitility.Awaitility.await;

/**
 * A server that speaks with others of its kind.
 *
 * @param server the server
 * @param busPort where they reach it
 */
record ClusterNode(EmbeddedRedis server, int busPort) {

	static ClusterNode start() {
		int busPort = Ports.findFree();
		return new ClusterNode(EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-port",
				String.valueOf(busPort), "--cluster-announce-ip", "127.0.0.1", "--cluster-node-timeout", "1000",
				"--repl-diskless-sync-delay", "0"), busPort);
	}

	void tell(String command) {
		RedisTalk.tell(this.server, "CLUSTER " + command);
	}

	void meet(ClusterNode other) {
		tell("MEET " + other.server.host() + " " + other.server.port() + " " + other.busPort);
	}

	/** The answer is its length and, in a line of its own, the name. */
	String id() {
		return RedisTalk.ask(this.server, "CLUSTER MYID").lines().skip(1).findFirst().orElseThrow();
	}

	void awaitNodes(int count) {
		awaitMembers("connected", count);
	}

	void awaitReplicas(int count) {
		awaitMembers("slave", count);
	}

	private void awaitMembers(String state, int count) {
		await().atMost(RedisTalk.PATIENCE)
			.until(() -> RedisTalk.ask(this.server, "CLUSTER NODES")
				.lines()
				.filter((line) -> !line.contains("handshake"))
				.filter((line) -> Arrays.asList(line.split("[ ,]")).contains(state))
				.count() == count);
	}

}
