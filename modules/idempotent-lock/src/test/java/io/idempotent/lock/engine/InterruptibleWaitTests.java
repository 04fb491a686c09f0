package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How threads wait for the responses of engines.
 */
class InterruptibleWaitTests {

	/**
	 * A task that ran on the waiting thread would enter the locks of that thread again.
	 */
	@Test
	void noOtherTaskOfAPoolRunsOnAThreadThatWaits() throws Exception {
		ForkJoinPool pool = new ForkJoinPool(1);
		try {
			CompletableFuture<String> answer = new CompletableFuture<>() {

				@Override
				public Executor defaultExecutor() {
					return pool;
				}

			};
			AtomicReference<@Nullable Thread> ranOn = new AtomicReference<>();
			@Nullable Thread during = pool.submit(() -> {
				CompletableFuture<Void> forked = CompletableFuture.runAsync(() -> ranOn.set(Thread.currentThread()),
						pool);
				answer.completeOnTimeout("answer", 200, TimeUnit.MILLISECONDS);
				try (InterruptibleWait wait = InterruptibleWait.throughInterrupts()) {
					assertThat(wait.get(answer, TimeUnit.SECONDS.toNanos(20))).isEqualTo("answer");
				}
				assertThat(forked).isNotDone();
				return ranOn.get();
			}).get(30, TimeUnit.SECONDS);
			assertThat(during).isNull();
		}
		finally {
			pool.shutdownNow();
		}
	}

	@Test
	void anInterruptDoesNotDiscardAnAnswer() throws Exception {
		try (InterruptibleWait wait = InterruptibleWait.of(new LockRequest("a", Duration.ofSeconds(1), false))) {
			Thread.currentThread().interrupt();
			assertThat(wait.get(CompletableFuture.completedFuture("answer"), 0)).isEqualTo("answer");
		}
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anInterruptIsRestoredAfterTheWait() throws Exception {
		Thread.currentThread().interrupt();
		try (InterruptibleWait wait = InterruptibleWait.throughInterrupts()) {
			assertThat(wait.get(CompletableFuture.completedFuture("answer"), 0)).isEqualTo("answer");
			assertThatExceptionOfType(TimeoutException.class)
				.isThrownBy(() -> wait.get(new CompletableFuture<>(), TimeUnit.MILLISECONDS.toNanos(1)));
		}
		assertThat(Thread.interrupted()).isTrue();
	}

}
