package io.idempotent.store;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who waits for which key in this JVM: the half of {@link WakeUps} that every store
 * needs.
 *
 * <p>
 * Safe for use by several threads; waking runs on the thread that calls.
 */
public final class Waiters implements WakeUps {

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

	/**
	 * Wakes those who wait for a key.
	 * @param key the key
	 */
	public void wake(OperationKey key) {
		Set<Waiter> waiters = this.waiting.get(key);
		if (waiters != null) {
			waiters.forEach((waiter) -> waiter.wake.run());
		}
	}

	/**
	 * Wakes everybody.
	 */
	public void wakeAll() {
		this.waiting.keySet().forEach(this::wake);
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
			Waiters.this.waiting.computeIfPresent(this.key, (same, all) -> {
				all.remove(this);
				return all.isEmpty() ? null : all;
			});
		}

	}

}
