package io.idempotent.testing;

import java.time.Duration;

import org.apache.zookeeper.ZooKeeper;

import static org.awaitility.Awaitility.await;

/**
 * A client's session, seen from aside.
 */
final class ZooKeeperSession {

	private static final int TIMEOUT_MILLIS = 10_000;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private ZooKeeperSession() {
	}

	/**
	 * Waits until the servers accept sessions.
	 * @param connectString where they are
	 */
	static void awaitServing(String connectString) {
		Unchecked.run(() -> {
			ZooKeeper client = new ZooKeeper(connectString, TIMEOUT_MILLIS, (event) -> {
			});
			try {
				await().atMost(PATIENCE).until(() -> client.getState().isConnected());
			}
			finally {
				client.close();
			}
		});
	}

	/**
	 * Ends a session at the server, its ephemeral nodes included, and waits until its
	 * owner was told.
	 * @param owner the client that owns the session
	 * @param connectString where the servers are
	 */
	static void expire(ZooKeeper owner, String connectString) {
		// Owner and thief may take the session away from each other a few times.
		await().atMost(PATIENCE).until(() -> {
			if (owner.getState().isAlive()) {
				end(owner, connectString);
			}
			return !owner.getState().isAlive();
		});
	}

	private static void end(ZooKeeper owner, String connectString) throws Exception {
		ZooKeeper thief = new ZooKeeper(connectString, owner.getSessionTimeout(), (event) -> {
		}, owner.getSessionId(), owner.getSessionPasswd());
		try {
			await().atMost(PATIENCE).until(() -> thief.getState().isConnected() || !thief.getState().isAlive());
		}
		finally {
			thief.close();
		}
	}

}
