package io.idempotent.lock.zookeeper;

import java.time.Duration;

import io.idempotent.lock.zookeeper.ZooKeeperLockEngine.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the clients under test.
 */
final class TestSettings {

	static final String BASE_PATH = "/idempotent/locks";

	private TestSettings() {
	}

	static Settings of(String connectString) {
		return of(connectString, Duration.ofSeconds(30));
	}

	static Settings of(String connectString, Duration session) {
		return of(connectString, session, null);
	}

	static Settings of(String connectString, Duration session, @Nullable String credentials) {
		return new Settings(connectString, session, Duration.ofSeconds(3), 3, Duration.ofMillis(100), credentials,
				BASE_PATH);
	}

}
