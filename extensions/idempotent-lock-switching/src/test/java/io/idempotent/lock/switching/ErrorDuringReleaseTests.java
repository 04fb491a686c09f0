package io.idempotent.lock.switching;

import java.time.Duration;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * An engine that throws an {@code Error} once, as where the stack is used up.
 */
@Timeout(60)
class ErrorDuringReleaseTests {

	private static final SwitchSettings SETTINGS = new SwitchSettings(Duration.ofSeconds(2), Duration.ofSeconds(3),
			Duration.ofSeconds(1), WhenAuthorityAway.STOP_GRANTING);

	private final MemoryEpochStore store = new MemoryEpochStore();

	private final MemoryEngine first = new MemoryEngine("first").thatShares();

	private final MemoryEngine second = new MemoryEngine("second").thatShares();

	private final TestNode node = new TestNode(this.store, SETTINGS, this.first, this.second);

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void aReleaseThatThrowsAnErrorIsRepeated() {
		this.first.next((request, wait) -> new Failing(this.first.grant(request)));
		DistributedLock lock = this.node.get("a");
		lock.lock();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock::unlock);
		await().atMost(Duration.ofMinutes(1)).until(() -> !this.first.isTaken("a"));
	}

	@Test
	void nodesSwitchAfterADowngradeThatThrowsAnError() {
		this.first.next((request, wait) -> new Failing(this.first.grant(request)));
		DistributedReadWriteLock lock = this.node.locks.readWrite("a");
		lock.writeLock().lock();
		lock.readLock().lock();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(lock.writeLock()::unlock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock.readLock()::unlock);
		assertThat(this.node.locks.switchEngine()).isEqualTo("second");
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
			fail();
			return this.grant.release(stayLocked);
		}

		@Override
		public @Nullable LockGrant downgrade() {
			fail();
			return this.grant.downgrade();
		}

		private void fail() {
			if (!this.failed) {
				this.failed = true;
				throw new StackOverflowError();
			}
		}

	}

}
