package com.example.shop;

import java.time.Duration;

import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.test.TestDistributedLocks;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StockTakingTests {

	private final DistributedLocks locks = TestDistributedLocks.inMemory();

	private final StockTaking job = new StockTaking(this.locks);

	@Test
	void theJobRunsUnderItsLock() {
		try (AcquiredLock lock = this.locks.get("stock-taking").acquire(Duration.ZERO)) {
			this.job.run();
			assertThat(lock.isValid()).isTrue();
		}
		assertThat(this.job.isDone()).isTrue();
	}

	@Test
	void theJobDoesNotRunWithoutItsLock() {
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.job::run);
		assertThat(this.job.isDone()).isFalse();
	}

}
