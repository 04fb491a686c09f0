package io.idempotent.lock.zookeeper;

import java.time.Duration;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/**
 * Engines under test, with clients of their own.
 */
final class TestSettings {

	static final String BASE_PATH = "/idempotent/locks";

	private TestSettings() {
	}

	static ZooKeeperLockEngine connect(String connectString) {
		return connect(connectString, Duration.ofSeconds(30), null);
	}

	static ZooKeeperLockEngine connect(String connectString, Duration session, @Nullable String credentials) {
		return ZooKeeperLockEngine.connect(CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs(Math.toIntExact(session.toMillis()))
			.connectionTimeoutMs(3000)
			.retryPolicy(new ExponentialBackoffRetry(100, 3)), credentials, BASE_PATH, "");
	}

}
