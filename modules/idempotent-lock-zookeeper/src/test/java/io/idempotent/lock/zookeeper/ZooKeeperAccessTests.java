package io.idempotent.lock.zookeeper;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine.Settings;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Where lock nodes are, and who may touch them.
 */
@Timeout(60)
class ZooKeeperAccessTests {

	private static final Duration SESSION = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = new LockRequest("a", Duration.ofSeconds(1), false);

	private TestZooKeeper server;

	private CuratorFramework stranger;

	@BeforeEach
	void start() throws Exception {
		this.server = TestZooKeeper.start();
		this.stranger = CuratorFrameworkFactory.newClient(this.server.connectString(), new RetryOneTime(100));
		this.stranger.start();
	}

	@AfterEach
	void stop() throws Exception {
		this.stranger.close();
		this.server.close();
	}

	@Test
	void everythingIsBelowTheNamespace() throws Exception {
		try (ZooKeeperLockEngine engine = connect("shop", null)) {
			LockGrant grant = take(engine);
			assertThat(this.stranger.getChildren().forPath("/shop" + TestSettings.BASE_PATH + "/a")).hasSize(1);
			assertThat(this.stranger.checkExists().forPath(TestSettings.BASE_PATH)).isNull();
			assertThat(grant.renew(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(this.stranger.getChildren().forPath("/shop" + TestSettings.BASE_PATH + "/a")).isEmpty();
		}
	}

	@Test
	void theLeaseIsTheSessionThatTheServerGranted() throws Exception {
		try (ZooKeeperLockEngine engine = ZooKeeperLockEngine
			.connect(TestSettings.of(this.server.connectString(), Duration.ofHours(1)))) {
			LockGrant grant = take(engine);
			assertThat(grant.lease()).isPositive().isLessThan(Duration.ofMinutes(10));
		}
	}

	@Test
	void anEngineWithoutServersStartsAndIsUnavailable() throws Exception {
		this.server.stop();
		try (ZooKeeperLockEngine engine = connect(null, null)) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(REQUEST, Duration.ZERO))
				.withMessageContaining(this.server.connectString());
		}
	}

	@Test
	void credentialsAreNotPrintedAndNeedAUser() {
		Settings settings = TestSettings.of("localhost:1", SESSION, "shop", "user:secret");
		assertThat(settings.toString()).contains("localhost:1").doesNotContain("secret");
		assertThatIllegalArgumentException().isThrownBy(() -> TestSettings.of("localhost:1", SESSION, null, ":secret"))
			.withMessageContaining("user:password")
			.withMessageNotContaining("secret");
	}

	private ZooKeeperLockEngine connect(@Nullable String namespace, @Nullable String credentials) {
		return ZooKeeperLockEngine
			.connect(TestSettings.of(this.server.connectString(), SESSION, namespace, credentials));
	}

	private static LockGrant take(ZooKeeperLockEngine engine) throws InterruptedException {
		LockGrant grant = engine.acquire(REQUEST, Duration.ZERO);
		assertThat(grant).isNotNull();
		return grant;
	}

}
