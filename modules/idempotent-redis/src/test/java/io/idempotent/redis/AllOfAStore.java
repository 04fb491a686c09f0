package io.idempotent.redis;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

import io.idempotent.test.contract.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.WakeUps;

import static io.idempotent.test.contract.StoreSubmission.LEASE;
import static io.idempotent.test.contract.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Everything that a store does, once.
 */
final class AllOfAStore {

	private AllOfAStore() {
	}

	/**
	 * Issues, claims, subscribes, renews, completes and releases, and closes the store.
	 * @param store the store
	 * @param refused whether to wait no longer for a subscription
	 */
	static void use(RedisIdempotencyStore store, BooleanSupplier refused) {
		StoreSubmission first = StoreSubmission.to(store).ifIssued().issued(RETENTION);
		ClaimId claim = first.granted();
		Semaphore woken = new Semaphore(0);
		try (WakeUps.Subscription subscription = store.subscribe(first.key(), woken::release)) {
			assertThat(subscription).isNotNull();
			await().until(() -> woken.tryAcquire() || refused.getAsBoolean());
			first.again().listening().claim();
			assertThat(store.renew(claim, LEASE)).isEqualTo(Ownership.HELD);
			assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		}
		StoreSubmission second = StoreSubmission.to(store);
		assertThat(second.release(second.granted(), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		store.close();
	}

}
