package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the core hears of a connection, and a watcher that watches several nodes in a row.
 */
@Timeout(60)
class SessionEventsTests {

	private final List<Duration> suspended = new ArrayList<>();

	private final List<Predicate<LockGrant>> ended = new ArrayList<>();

	private int restored;

	private final TestZooKeeper server = TestZooKeeper.start();

	private final Node node = new Node(this.server.connectString(), Duration.ofSeconds(30));

	private final SessionEvents events = new SessionEvents(this.node.engine.sessionClient(), new Observer());

	@AfterEach
	void stop() {
		this.node.close();
		this.server.close();
	}

	@Test
	void aSuspendedSessionIsSafeForAThirdOfItsTimeout() throws Exception {
		Duration session = take("a").lease();
		assertThat(session).isNotNull();
		this.events.stateChanged(this.node.client, ConnectionState.SUSPENDED);
		this.events.stateChanged(this.node.client, ConnectionState.READ_ONLY);
		assertThat(this.suspended).containsExactly(session.dividedBy(3), session.dividedBy(3));
	}

	@Test
	void aRestoredConnectionIsReportedButNotTheFirstOne() {
		this.events.stateChanged(this.node.client, ConnectionState.CONNECTED);
		assertThat(this.restored).isZero();
		this.events.stateChanged(this.node.client, ConnectionState.RECONNECTED);
		assertThat(this.restored).isOne();
	}

	@Test
	void theEndOfASessionEndsItsGrantsAndNoOthers() throws Exception {
		LockGrant former = take("a");
		this.node.client.getZookeeperClient().reset();
		await().until(this.node.engine.sessionClient()::isConnected);
		LockGrant current = take("b");
		this.events.stateChanged(this.node.client, ConnectionState.LOST);
		assertThat(this.ended).singleElement().satisfies((grants) -> {
			assertThat(grants.test(former)).isTrue();
			assertThat(grants.test(current)).isFalse();
		});
		assertThat(former.renew(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(former.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(current.renew(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	/**
	 * A change of the connection ends the wait, but not the watch. So the event of the
	 * former node may arrive when the watcher waits for the next one.
	 */
	@Test
	void aFormerNodeThatIsDeletedIsNotTakenForTheCurrentOne() throws Exception {
		PredecessorWatcher watcher = new PredecessorWatcher(this.node.engine.sessionClient());
		this.node.client.create().forPath("/first");
		this.node.client.create().forPath("/second");
		Future<Boolean> second = watcher.watch("/second");
		watcher.process(new WatchedEvent(EventType.None, KeeperState.Disconnected, null));
		assertThat(second.get(20, TimeUnit.SECONDS)).isFalse();
		Future<Boolean> first = watcher.watch("/first");
		this.node.client.delete().forPath("/second");
		assertThat(first.get(20, TimeUnit.SECONDS)).isFalse();
	}

	private LockGrant take(String name) throws InterruptedException {
		LockGrant grant = this.node.engine.acquire(new LockRequest(name, Duration.ofSeconds(30), false),
				Duration.ofSeconds(20));
		assertThat(grant).isNotNull();
		return grant;
	}

	private final class Observer implements ConnectionObserver {

		@Override
		public void suspended(Duration safe) {
			suspended.add(safe);
		}

		@Override
		public void restored() {
			restored++;
		}

		@Override
		public void ended(Predicate<LockGrant> grants) {
			ended.add(grants);
		}

	}

}
