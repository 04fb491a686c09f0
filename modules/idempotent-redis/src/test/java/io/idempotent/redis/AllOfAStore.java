package io.idempotent.redis;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.Settlement;
import io.idempotent.store.WakeUps;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Everything that a store does, once.
 */
final class AllOfAStore {

	private AllOfAStore() {
	}

	/**
	 * Issues, claims, subscribes, renews, completes, releases, settles and searches, and
	 * closes the store.
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
		StoreSubmission large = StoreSubmission.to(store);
		large.complete(large.granted(), Outcome.stored(new byte[4096]));
		large.again().caching().claim();
		administer(store);
		store.close();
	}

	/** What operators do. A note that Redis refuses is no failure. */
	private static void administer(RedisIdempotencyStore store) {
		StoreSubmission unknown = StoreSubmission.to(store);
		ClaimId claim = unknown.granted();
		unknown.release(claim, Release.UNKNOWN);
		store.settle(new Settlement(claim.key(), claim.owner(), 1, Settlement.Kind.CONFIRM, false, new Owner(1, 2)));
		store.findKeys(new KeyPrefix(claim.key().toString()), 1);
		store.unknown(1);
	}

}
