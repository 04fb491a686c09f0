package io.idempotent.testing;

import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class TestZooKeeperQuorumTests {

	@Test
	void aMajorityServesAndAMinorityDoesNotUntilTheOthersAreBack() throws Exception {
		try (TestZooKeeperQuorum quorum = TestZooKeeperQuorum.start();
				CuratorFramework client = TestZooKeeperTests.connect(quorum.connectString(), 20_000)) {
			client.create().forPath("/first");
			quorum.killOne();
			client.create().forPath("/second");
			quorum.killMajority();
			await().atMost(1, TimeUnit.MINUTES).until(() -> !client.getZookeeperClient().isConnected());
			quorum.restart();
			assertThat(client.checkExists().forPath("/first")).isNotNull();
			assertThat(client.checkExists().forPath("/second")).isNotNull();
		}
	}

}
