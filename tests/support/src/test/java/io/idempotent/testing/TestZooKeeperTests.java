package io.idempotent.testing;

import java.time.Duration;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class TestZooKeeperTests {

	private static final int SESSION_MILLIS = 2 * TestZooKeeper.TICK_MILLIS;

	private TestZooKeeper server;

	@BeforeEach
	void start() {
		this.server = TestZooKeeper.start();
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void aSessionLastsAsLongAsItWasAskedFor() throws Exception {
		for (int timeout : new int[] { SESSION_MILLIS, 30_000 }) {
			try (CuratorFramework client = connect(this.server.connectString(), timeout)) {
				client.blockUntilConnected();
				assertThat(client.getZookeeperClient().getZooKeeper().getSessionTimeout()).isEqualTo(timeout);
			}
		}
	}

	@Test
	void aStoppedServerIsBackWithItsData() throws Exception {
		try (CuratorFramework client = connect(this.server.connectString(), 30_000)) {
			client.create().forPath("/kept");
			this.server.stop();
			this.server.restart();
			assertThat(client.checkExists().forPath("/kept")).isNotNull();
		}
	}

	@Test
	void anExpiredSessionLosesItsEphemeralNodes() throws Exception {
		try (CuratorFramework owner = connect(this.server.connectString(), 30_000);
				CuratorFramework other = connect(this.server.connectString(), 30_000)) {
			owner.create().withMode(CreateMode.EPHEMERAL).forPath("/owned");
			this.server.expire(owner.getZookeeperClient().getZooKeeper());
			assertThat(other.checkExists().forPath("/owned")).isNull();
			owner.create().withMode(CreateMode.EPHEMERAL).forPath("/owned");
			assertThat(other.checkExists().forPath("/owned")).isNotNull();
		}
	}

	@Test
	void aSessionBehindAFrozenNetworkExpiresByItself() throws Exception {
		try (FaultyProxy network = new FaultyProxy("127.0.0.1", this.server.port());
				CuratorFramework owner = connect("127.0.0.1:" + network.port(), SESSION_MILLIS);
				CuratorFramework other = connect(this.server.connectString(), 30_000)) {
			owner.create().withMode(CreateMode.EPHEMERAL).forPath("/owned");
			network.freeze();
			await().atMost(Duration.ofMinutes(1)).until(() -> other.checkExists().forPath("/owned") == null);
		}
	}

	static CuratorFramework connect(String connectString, int sessionMillis) {
		CuratorFramework client = CuratorFrameworkFactory.newClient(connectString, sessionMillis, 5_000,
				new RetryForever(50));
		client.start();
		return client;
	}

}
