package io.idempotent.test;

import java.time.Duration;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TestIdempotencyStoreTests {

	private final TestIdempotencyStore store = new TestIdempotencyStore();

	private final StoreSubmission submission = StoreSubmission.to(this.store);

	@Test
	void aRecordGoesThroughItsStates() {
		ClaimId claim = this.submission.granted();
		assertThat(this.store).record().isInProgress().hasAttempt(1);
		this.submission.release(claim, Release.UNKNOWN);
		assertThat(this.store).record().isUnknown();
		StoreSubmission second = this.submission.again();
		second.complete(second.granted(), Outcome.TOMBSTONE);
		assertThat(this.store).record().isCompleted().hasAttempt(2);
	}

	@Test
	void aReleasedKeyHasNoRecord() {
		this.submission.issued(Duration.ofMinutes(1)).release(this.submission.granted(), Release.NO_EFFECT);
		assertThat(this.store).hasNoRecords();
		assertThat(this.submission.ifIssued().claim()).as("looking changes nothing")
			.hasToString("Granted[attempt=2, tookOver=false]");
	}

	@Test
	void aRecordThatExpiresIsGone() {
		Duration instant = Duration.ofMillis(1);
		ClaimId claim = this.submission.granted();
		this.store.complete(claim, Outcome.TOMBSTONE, instant);
		long end = System.nanoTime() + instant.toNanos();
		while (System.nanoTime() - end < 0) {
			Thread.onSpinWait();
		}
		assertThat(this.store).hasNoRecords();
	}

	@Test
	void aWrongExpectationReportsTheActualState() {
		this.submission.granted();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.store).hasNoRecords())
			.withMessageContaining("IN_PROGRESS");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.store).record().isCompleted())
			.withMessageContaining("IN_PROGRESS");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.store).record().hasAttempt(2))
			.withMessageContaining("attempt=1");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.store).record("other"))
			.withMessageContaining("'other', but there are 0")
			.withMessageContaining("IN_PROGRESS");
	}

	@Test
	void disabledReceiptsAreReported() {
		this.submission.granted();
		assertThatIllegalStateException().isThrownBy(() -> assertThat(this.store).record().hasReceipt())
			.withMessageContaining("idempotent.guard.enabled");
	}

}
