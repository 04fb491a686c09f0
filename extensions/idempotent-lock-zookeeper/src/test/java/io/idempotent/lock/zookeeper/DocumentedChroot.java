package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.idempotent.testing.TestZooKeeper;
import io.idempotent.testing.Unchecked;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.jspecify.annotations.Nullable;

/**
 * What {@code docs/reference/lock-engines.md} has an administrator enter into
 * {@code zkCli.sh}: a user, and a node that is that user's alone.
 *
 * @param credentials the user
 * @param path the node
 */
record DocumentedChroot(String credentials, String path) {

	private static final Path PAGE = Path.of("..", "..", "docs", "reference", "lock-engines.md");

	private static final Pattern LINES = Pattern
		.compile("(?m)^addauth digest (\\S+:\\S+)$\\s+^create (/\\S+) \"\" auth::cdrwa$");

	static DocumentedChroot read() {
		return Unchecked.call(() -> {
			MatchResult lines = LINES.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
			return new DocumentedChroot(lines.group(1), lines.group(2));
		});
	}

	/**
	 * Does what the two lines do.
	 */
	void create(TestZooKeeper server) throws Exception {
		try (CuratorFramework client = client(server, this.credentials)) {
			client.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.path, new byte[0]);
		}
	}

	/**
	 * An engine below the node.
	 */
	ZooKeeperLockEngine connect(TestZooKeeper server, @Nullable String credentials) {
		return TestSettings.connect(server.connectString() + this.path, Duration.ofSeconds(30), credentials);
	}

	static CuratorFramework client(TestZooKeeper server, @Nullable String credentials) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(server.connectString())
			.retryPolicy(new RetryOneTime(100));
		if (credentials != null) {
			builder.authorization("digest", credentials.getBytes(StandardCharsets.UTF_8));
		}
		CuratorFramework client = builder.build();
		client.start();
		return client;
	}

}
