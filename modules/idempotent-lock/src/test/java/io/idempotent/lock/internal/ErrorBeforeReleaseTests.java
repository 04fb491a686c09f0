package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * An engine that throws an {@code Error} when it is told that a grant is abandoned.
 */
@Timeout(60)
class ErrorBeforeReleaseTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final TestLocks locks = new TestLocks(this.engine);

	@AfterEach
	void close() {
		this.locks.close();
	}

	@Test
	void aReleaseThatThrowsAnErrorIsRepeated() {
		DistributedLock lock = lockWhoseAbandonmentFailsOnce();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock::unlock);
		await().atMost(Duration.ofMinutes(1)).until(() -> !this.engine.isTaken("a"));
	}

	@Test
	void otherThreadsOfThisJvmGetTheLock() throws Exception {
		DistributedLock lock = lockWhoseAbandonmentFailsOnce();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock::unlock);
		// The lease has ended.
		this.engine.grants.get(0).vanish();
		assertThat(this.locks.<Boolean>elsewhere(() -> this.locks.get("a").tryLock(5, TimeUnit.SECONDS))).isTrue();
	}

	private DistributedLock lockWhoseAbandonmentFailsOnce() {
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		FakeEngine.FakeGrant grant = this.engine.grant();
		grant.onAbandoned(() -> {
			grant.onAbandoned(() -> {
			});
			throw new StackOverflowError();
		});
		return lock;
	}

}
