package io.idempotent.lock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole contract as the user of {@code docs/reference/lock-engines.md}, below a node
 * that is this user's alone.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperAclLockEngineTests extends LockEngineContract {

	private static final DocumentedChroot CHROOT = DocumentedChroot.read();

	private static TestZooKeeper server;

	@BeforeAll
	static void startServer() throws Exception {
		server = TestZooKeeper.start();
		CHROOT.create(server);
	}

	@AfterAll
	static void everyNodeIsBelowTheChrootAndPrivate() throws Exception {
		ACL own = new ACL(Perms.ALL,
				new Id("digest", DigestAuthenticationProvider.generateDigest(CHROOT.credentials())));
		try (TestZooKeeper closing = server;
				CuratorFramework client = DocumentedChroot.client(closing, CHROOT.credentials())) {
			assertThat(client.getChildren().forPath("/")).containsExactlyInAnyOrder("zookeeper", "shop");
			List<String> nodes = new ArrayList<>(List.of(CHROOT.path()));
			for (int i = 0; i < nodes.size(); i++) {
				String node = nodes.get(i);
				try {
					assertThat(client.getACL().forPath(node)).as(node).containsExactly(own);
					client.getChildren().forPath(node).forEach((child) -> nodes.add(node + "/" + child));
				}
				catch (NoNodeException ex) {
					// The server removes the nodes of locks that nobody uses any more.
				}
			}
			assertThat(nodes).contains(CHROOT.path() + TestSettings.BASE_PATH).hasSizeGreaterThan(3);
		}
	}

	@Override
	protected boolean takesTurns() {
		return true;
	}

	@Override
	protected LockEngine node() {
		return CHROOT.connect(server, CHROOT.credentials());
	}

	@Override
	protected boolean passesOn() {
		return false;
	}

	@Override
	protected boolean leasesEndByThemselves() {
		return false;
	}

}
