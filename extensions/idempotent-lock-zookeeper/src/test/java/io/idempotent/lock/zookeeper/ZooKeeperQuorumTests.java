package io.idempotent.lock.zookeeper;

import java.time.Duration;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.testing.TestZooKeeperQuorum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Three servers, of which two must agree.
 */
@Tag("slow")
@Timeout(180)
class ZooKeeperQuorumTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final TestZooKeeperQuorum servers = TestZooKeeperQuorum.start();

	private final Node node = new Node(this.servers.connectString(), Duration.ofSeconds(15));

	@AfterEach
	void stop() {
		this.node.close();
		this.servers.close();
	}

	@Test
	void withoutAQuorumNoLockIsGrantedAndHeldLocksAreLost() throws Exception {
		DistributedLock lock = this.node.lock("a");
		lock.lock();
		long token = lock.fencingToken();
		this.servers.killMajority();
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.node.told()).contains(LockEvent.Type.SUSPECT, LockEvent.Type.LOST));
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.node.lock("b")::tryLock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		this.servers.restart();
		await().pollInSameThread().atMost(PATIENCE).ignoreExceptions().until(lock::tryLock);
		assertThat(lock.fencingToken()).isGreaterThan(token);
		lock.unlock();
	}

	@Test
	void aServerOfAQuorumThatDiesLosesNoLock() throws Exception {
		DistributedLock lock = this.node.lock("a");
		lock.lock();
		this.servers.killOne();
		await().pollInSameThread().atMost(PATIENCE).ignoreExceptions().until(this.node.lock("b")::tryLock);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
		assertThat(this.node.told()).doesNotContain(LockEvent.Type.LOST);
	}

}
