package io.idempotent.lock.zookeeper;

import java.time.Duration;

import io.idempotent.lock.engine.ConnectionObserver;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Tells the core what Curator says of the connection. Events come late, on a thread that
 * all listeners share: they say that something has happened, not how things are.
 */
final class SessionEvents implements ConnectionStateListener {

	private final ZooKeeperSessionClient ensemble;

	private final ConnectionObserver observer;

	SessionEvents(ZooKeeperSessionClient ensemble, ConnectionObserver observer) {
		this.ensemble = ensemble;
		this.observer = observer;
	}

	@Override
	public void stateChanged(CuratorFramework client, ConnectionState state) {
		switch (state) {
			case SUSPENDED, READ_ONLY -> this.observer.suspended(restOfSession(client));
			case RECONNECTED -> this.observer.restored();
			case LOST -> sessionEnded();
			case CONNECTED -> {
			}
		}
	}

	// A client takes a silent server for dead when two thirds of the session are over.
	// Curator gives up on the session only a whole timeout after that, when the server
	// may
	// long have given the lock to somebody else.
	private static Duration restOfSession(CuratorFramework client) {
		return Duration.ofMillis(client.getZookeeperClient().getLastNegotiatedSessionTimeoutMs() / 3);
	}

	private void sessionEnded() {
		long current = ZooKeeperSessionClient.id(this.ensemble.session());
		this.observer.ended((grant) -> grant instanceof ZooKeeperGrant own && own.session() != current);
	}

	/**
	 * Not behind a circuit breaker, which would hold back the bad news.
	 */
	@Override
	public boolean doNotProxy() {
		return true;
	}

}
