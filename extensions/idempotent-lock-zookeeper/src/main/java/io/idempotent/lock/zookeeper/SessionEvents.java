package io.idempotent.lock.zookeeper;

import java.time.Duration;

import io.idempotent.lock.engine.ConnectionObserver;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Reports Curator's connection events to the observer of all leases. They may arrive
 * late, on a thread that all listeners share: the state may have changed again meanwhile.
 */
record SessionEvents(ZooKeeperSessionClient zooKeeper, ConnectionObserver observer) implements ConnectionStateListener {

	@Override
	public void stateChanged(CuratorFramework client, ConnectionState state) {
		switch (state) {
			case SUSPENDED, READ_ONLY -> this.observer.suspended(remainingSession(client));
			case RECONNECTED -> this.observer.restored();
			case LOST -> sessionEnded();
			case CONNECTED -> {
			}
		}
	}

	// The ZooKeeper client disconnects from a server that has not replied for two thirds
	// of the session timeout. Curator reports the session as lost only a whole timeout
	// after that, when another node may already hold the lock.
	private static Duration remainingSession(CuratorFramework client) {
		return Duration.ofMillis(client.getZookeeperClient().getLastNegotiatedSessionTimeoutMs() / 3);
	}

	private void sessionEnded() {
		long current = ZooKeeperSessionClient.id(this.zooKeeper.session());
		this.observer.ended((grant) -> grant instanceof ZooKeeperGrant own && own.session() != current);
	}

	/** A circuit breaker of Curator would delay events. */
	@Override
	public boolean doNotProxy() {
		return true;
	}

}
