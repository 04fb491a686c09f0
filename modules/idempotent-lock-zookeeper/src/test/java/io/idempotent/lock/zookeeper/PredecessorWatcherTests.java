package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.testing.TestZooKeeper;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A watcher that watches several nodes in a row.
 */
@Timeout(60)
class PredecessorWatcherTests {

	private TestZooKeeper server;

	private Node node;

	private PredecessorWatcher watcher;

	@BeforeEach
	void start() throws Exception {
		this.server = TestZooKeeper.start();
		this.node = new Node(this.server.connectString(), Duration.ofSeconds(20));
		this.watcher = new PredecessorWatcher(this.node.engine.sessionClient());
		this.node.client.create().forPath("/first");
		this.node.client.create().forPath("/second");
	}

	@AfterEach
	void stop() throws Exception {
		this.node.close();
		this.server.close();
	}

	/**
	 * A change of the connection ends the wait, but not the watch. So the event of the
	 * former node may arrive when the watcher waits for the next one.
	 */
	@Test
	void aFormerNodeThatIsDeletedIsNotTakenForTheCurrentOne() throws Exception {
		Future<Boolean> second = this.watcher.watch("/second", false);
		this.watcher.process(new WatchedEvent(EventType.None, KeeperState.Disconnected, null));
		assertThat(second.get(20, TimeUnit.SECONDS)).isFalse();
		Future<Boolean> first = this.watcher.watch("/first", false);
		this.node.client.delete().forPath("/second");
		assertThat(first.get(20, TimeUnit.SECONDS)).isFalse();
	}

}
