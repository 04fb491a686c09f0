package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;
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
		this.engine.next((request, wait) -> new Failing(this.engine.grant(request)));
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock::unlock);
		await().atMost(Duration.ofSeconds(10)).until(() -> !this.engine.isTaken("a"));
	}

	@Test
	void otherThreadsOfThisJvmGetTheLock() throws Exception {
		this.engine.next((request, wait) -> new Failing(this.engine.grant(request)));
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock::unlock);
		// The lease has ended.
		this.engine.grants.get(0).vanish();
		assertThat(this.locks.<Boolean>elsewhere(() -> this.locks.get("a").tryLock(5, TimeUnit.SECONDS))).isTrue();
	}

	private static final class Failing implements LockGrant {

		private final LockGrant grant;

		private boolean failed;

		Failing(LockGrant grant) {
			this.grant = grant;
		}

		@Override
		public long token() {
			return this.grant.token();
		}

		@Override
		public @Nullable Duration lease() {
			return this.grant.lease();
		}

		@Override
		public GrantState renew(Duration lease) {
			return this.grant.renew(lease);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			return this.grant.release(stayLocked);
		}

		@Override
		public void abandoned() {
			if (!this.failed) {
				this.failed = true;
				throw new StackOverflowError();
			}
			this.grant.abandoned();
		}

	}

}
