package io.idempotent.store.local;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.store.OperationKey;
import io.idempotent.store.WakeUps;

/**
 * Who waits for which key in this JVM.
 */
final class LocalWaiters implements WakeUps {

	private final Map<OperationKey, Set<Waiter>> waiting = new ConcurrentHashMap<>();

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		Waiter waiter = new Waiter(key, wake);
		this.waiting.compute(key, (same, present) -> {
			Set<Waiter> all = (present != null) ? present : ConcurrentHashMap.newKeySet();
			all.add(waiter);
			return all;
		});
		return waiter;
	}

	void wake(OperationKey key) {
		Set<Waiter> waiters = this.waiting.get(key);
		if (waiters != null) {
			waiters.forEach((waiter) -> waiter.wake.run());
		}
	}

	private final class Waiter implements Subscription {

		private final OperationKey key;

		private final Runnable wake;

		private Waiter(OperationKey key, Runnable wake) {
			this.key = key;
			this.wake = wake;
		}

		@Override
		public void close() {
			LocalWaiters.this.waiting.computeIfPresent(this.key, (same, all) -> {
				all.remove(this);
				return all.isEmpty() ? null : all;
			});
		}

	}

}
