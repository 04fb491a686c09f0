package io.idempotent.store.local;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.idempotent.engine.IdempotencyStoreContract;
import io.idempotent.engine.IdempotencyStoreSubmission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Outcome;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LocalIdempotencyStoreTests extends IdempotencyStoreContract {

	/** Close to where nanoTime wraps around, which must make no difference. */
	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1_000);

	private final LocalIdempotencyStore store = new LocalIdempotencyStore(1_000, this.nanoTime::get);

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
	}

	@Test
	void aFullStoreRefusesNewRecordsAndKeepsItsOwn() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(2, this.nanoTime::get);
		IdempotencyStoreSubmission first = IdempotencyStoreSubmission.to(small);
		IdempotencyStoreSubmission second = IdempotencyStoreSubmission.to(small);
		first.complete(first.granted(), Outcome.TOMBSTONE);
		second.granted();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> IdempotencyStoreSubmission.to(small).claim())
			.withMessageContaining("2 records")
			.withMessageContaining("idempotent.store.local.max-records");
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> IdempotencyStoreSubmission.to(small).issued(SOON));
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		assertThat(second.complete(second.claimId(1), Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aFullStoreTakesThePlaceOfWhatHasExpired() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(2, this.nanoTime::get);
		IdempotencyStoreSubmission lasting = IdempotencyStoreSubmission.to(small);
		lasting.granted();
		for (int i = 0; i < 10; i++) {
			IdempotencyStoreSubmission.to(small).issued(SOON);
			pass(SOON);
		}
		assertThat(small.size()).isEqualTo(2);
		assertThat(lasting.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

	@Test
	void aReleaseMakesRoom() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(1, this.nanoTime::get);
		for (int i = 0; i < 10; i++) {
			IdempotencyStoreSubmission submission = IdempotencyStoreSubmission.to(small);
			submission.release(submission.granted(), Release.NO_EFFECT);
		}
		assertThat(small.size()).isZero();
	}

	@Test
	void whatHasExpiredIsSweptBeforeTheStoreIsFull() {
		IntStream.range(0, 200).forEach((i) -> IdempotencyStoreSubmission.to(this.store).issued(SOON));
		pass(SOON);
		IntStream.range(0, 200).forEach((i) -> IdempotencyStoreSubmission.to(this.store).granted());
		assertThat(this.store.size()).isEqualTo(200);
	}

	@Test
	void aStoreForNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new LocalIdempotencyStore(0))
			.withMessageContaining("idempotent.store.local.max-records is 0");
	}

	@Test
	void theClockOfTheJvmIsTheDefault() {
		IdempotencyStoreSubmission first = IdempotencyStoreSubmission.to(new LocalIdempotencyStore(1));
		first.granted();
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

}
