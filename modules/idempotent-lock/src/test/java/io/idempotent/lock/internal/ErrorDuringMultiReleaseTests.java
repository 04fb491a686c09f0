package io.idempotent.lock.internal;

import io.idempotent.lock.MultiLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several locks, and an engine that throws an {@code Error} when one is released.
 */
@Timeout(60)
class ErrorDuringMultiReleaseTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final TestLocks locks = new TestLocks(this.engine);

	private final MultiLock lock = this.locks.locks.all("a", "b", "c");

	@AfterEach
	void close() {
		this.locks.close();
	}

	private void failOnce(int grant) {
		FakeEngine.FakeGrant failing = this.engine.grants.get(grant);
		failing.onRelease(() -> {
			failing.onRelease(failing::releaseSoundly);
			throw new StackOverflowError();
		});
	}

	@Test
	void anErrorOfOneReleaseLeavesNoOtherLockHeld() {
		this.lock.lock();
		failOnce(1);
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::unlock);
		assertThat(this.locks.locks.held()).isEmpty();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void anErrorWhileAnAttemptIsGivenUpLeavesNoLockHeld() {
		this.engine.next((request, wait) -> this.engine.grant(request)).next((request, wait) -> {
			var grant = this.engine.grant(request);
			failOnce(1);
			return grant;
		}).next((request, wait) -> null);
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::tryLock);
		assertThat(this.locks.locks.held()).isEmpty();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

}
