package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache.Entry;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CaffeineOutcomeCacheTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("content").build());

	private final CaffeineOutcomeCache cache = new CaffeineOutcomeCache(1 << 20, HOUR);

	private static OperationKey key(int number) {
		return OperationKey.of("test", "operation", List.of(), Integer.toString(number));
	}

	private static Entry entry(int size, Duration retention) {
		return entry(Outcome.stored(new byte[size]), retention);
	}

	private static Entry entry(Outcome outcome, Duration retention) {
		return Entry.of(FINGERPRINT, new ClaimResult.Completed(outcome, 3, retention, null), System.nanoTime());
	}

	@Test
	void onlyCachedEntriesAreFound() {
		Entry cached = entry(10, HOUR);
		this.cache.put(key(1), cached);
		assertThat(this.cache.find(key(1))).isEqualTo(cached);
		assertThat(this.cache.find(key(2))).isNull();
	}

	@Test
	void anEntryIsForgottenWithItsRetention() {
		this.cache.put(key(1), entry(10, Duration.ofMillis(200)));
		this.cache.put(key(2), entry(10, HOUR));
		assertThat(this.cache.find(key(1))).isNotNull();
		await().until(() -> this.cache.find(key(1)) == null);
		assertThat(this.cache.find(key(2))).isNotNull();
	}

	@Test
	void anEntryExpiresAfterTheMaximumAgeDespiteItsRetention() {
		CaffeineOutcomeCache young = new CaffeineOutcomeCache(1 << 20, Duration.ofMillis(200));
		young.put(key(1), entry(10, HOUR));
		await().until(() -> young.find(key(1)) == null);
	}

	@Test
	void aRepeatedEntryLivesFromItsLastPut() {
		this.cache.put(key(1), entry(10, HOUR));
		this.cache.put(key(1), entry(10, Duration.ofMillis(200)));
		await().until(() -> this.cache.find(key(1)) == null);
	}

	@Test
	void answersAreBoundedByTheirBytes() {
		int answers = 100;
		for (int i = 0; i < answers; i++) {
			this.cache.put(key(i), entry(100_000, HOUR));
		}
		await().untilAsserted(() -> assertThat(kept(answers)).isBetween(1, 10));
	}

	@Test
	void tombstonesAreBoundedToo() {
		int tombstones = 10_000;
		for (int i = 0; i < tombstones; i++) {
			this.cache.put(key(i), entry(Outcome.TOMBSTONE, HOUR));
		}
		await().untilAsserted(() -> assertThat(kept(tombstones)).isBetween(1_000, (1 << 20) / 300));
	}

	@Test
	void anAnswerThatDoesNotFitIsNotKept() {
		this.cache.put(key(1), entry(2 << 20, HOUR));
		await().until(() -> this.cache.find(key(1)) == null);
	}

	private int kept(int put) {
		int kept = 0;
		for (int i = 0; i < put; i++) {
			kept += (this.cache.find(key(i)) != null) ? 1 : 0;
		}
		return kept;
	}

}
