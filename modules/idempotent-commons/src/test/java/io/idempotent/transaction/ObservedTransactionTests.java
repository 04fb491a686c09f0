package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One transaction that several threads know.
 */
class ObservedTransactionTests {

	private static final int THREADS = 4;

	private static final int ROUNDS = 20_000;

	@Test
	void callbacksOfSeveralThreadsAllRunBeforeTheCommit() throws Exception {
		ObservedTransaction transaction = new ObservedTransaction(null, null, false, null);
		AtomicInteger run = new AtomicInteger();
		together(() -> {
			for (int i = 0; i < ROUNDS; i++) {
				transaction.beforeCommit(run::incrementAndGet);
			}
		});
		transaction.runBeforeCommit();
		assertThat(run).hasValue(THREADS * ROUNDS);
	}

	@Test
	void aResourceOfSeveralThreadsIsCreatedOnce() throws Exception {
		ObservedTransaction transaction = new ObservedTransaction(null, null, false, null);
		Set<Object> kept = ConcurrentHashMap.newKeySet();
		AtomicInteger made = new AtomicInteger();
		together(() -> {
			for (int i = 0; i < ROUNDS; i++) {
				kept.add(transaction.attribute(i, made::incrementAndGet));
			}
		});
		assertThat(made).hasValue(ROUNDS);
		assertThat(kept).hasSize(ROUNDS);
	}

	private static void together(Runnable task) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			CyclicBarrier start = new CyclicBarrier(THREADS);
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				results.add(threads.submit(() -> {
					start.await();
					task.run();
					return null;
				}));
			}
			for (Future<?> result : results) {
				result.get(30, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

}
