package io.idempotent.store.local;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.idempotent.contract.store.IdempotencyStoreContract;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordState;
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
		StoreSubmission first = StoreSubmission.to(small);
		StoreSubmission second = StoreSubmission.to(small);
		first.complete(first.granted(), Outcome.TOMBSTONE);
		second.granted();
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> StoreSubmission.to(small).claim())
			.withMessageContaining("2 records")
			.withMessageContaining("idempotent.store.local.max-records");
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> StoreSubmission.to(small).issued(SOON));
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		assertThat(second.complete(second.claimId(1), Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aFullStoreReplacesExpiredRecords() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(2, this.nanoTime::get);
		StoreSubmission lasting = StoreSubmission.to(small);
		lasting.granted();
		for (int i = 0; i < 10; i++) {
			StoreSubmission.to(small).issued(SOON);
			pass(SOON);
		}
		assertThat(small.size()).isEqualTo(2);
		assertThat(lasting.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

	@Test
	void theOldestUnusedTokensAreEvictedFirst() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(3, this.nanoTime::get);
		StoreSubmission oldest = StoreSubmission.to(small);
		oldest.issued(SOON);
		pass(Duration.ofMillis(1));
		StoreSubmission used = StoreSubmission.to(small);
		used.issued(SOON);
		used.claim();
		StoreSubmission newest = StoreSubmission.to(small);
		newest.issued(SOON);
		StoreSubmission.to(small).granted();
		assertThat(small.inspect(oldest.key()).state()).isEqualTo(RecordState.ABSENT);
		assertThat(small.inspect(newest.key()).state()).isEqualTo(RecordState.ISSUED);
		assertThat(used.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

	@Test
	void aFloodOfTokensDoesNotBlockSubmissions() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(100, this.nanoTime::get);
		IntStream.range(0, 1_000).forEach((i) -> StoreSubmission.to(small).issued(SOON));
		IntStream.range(0, 100).forEach((i) -> StoreSubmission.to(small).granted());
		assertThat(small.size()).isEqualTo(100);
	}

	/** Its next attempt has a number of its own. */
	@Test
	void aReleasedTokenIsNotEvicted() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(1, this.nanoTime::get);
		StoreSubmission released = StoreSubmission.to(small);
		released.issued(SOON);
		released.release(released.granted(), Release.NO_EFFECT);
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> StoreSubmission.to(small).claim());
	}

	@Test
	void aReleaseMakesRoom() {
		LocalIdempotencyStore small = new LocalIdempotencyStore(1, this.nanoTime::get);
		for (int i = 0; i < 10; i++) {
			StoreSubmission submission = StoreSubmission.to(small);
			submission.release(submission.granted(), Release.NO_EFFECT);
		}
		assertThat(small.size()).isZero();
	}

	@Test
	void expiredRecordsAreSweptBeforeTheStoreIsFull() {
		IntStream.range(0, 200).forEach((i) -> StoreSubmission.to(this.store).issued(SOON));
		pass(SOON);
		IntStream.range(0, 200).forEach((i) -> StoreSubmission.to(this.store).granted());
		assertThat(this.store.size()).isEqualTo(200);
	}

	@Test
	void aCapacityOfZeroIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new LocalIdempotencyStore(0))
			.withMessageContaining("idempotent.store.local.max-records is 0");
	}

	@Test
	void theClockOfTheJvmIsTheDefault() {
		StoreSubmission first = StoreSubmission.to(new LocalIdempotencyStore(1));
		first.granted();
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

}
