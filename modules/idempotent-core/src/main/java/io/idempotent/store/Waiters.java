package io.idempotent.store;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waiters of this JVM by the key that they wait for: the part of {@link WakeUps} that
 * all stores share. Safe for use by several threads; waiters are woken on the calling
 * thread.
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

	public void wake(OperationKey key) {
		Set<Waiter> waiters = this.waiting.get(key);
		if (waiters != null) {
			waiters.forEach((waiter) -> waiter.wake.run());
		}
	}

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
