package io.idempotent.lock.internal;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events that wait for a listener that blocks.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockListenersTests {

	private final LockListeners listeners = new LockListeners(List.of());

	@AutoClose("shutdownNow")
	private final ExecutorService notifier = this.listeners.notifier();

	private final AtomicInteger notified = new AtomicInteger();

	@Test
	void eventsBeyondABoundAreDroppedAndCounted(CapturedOutput output) throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch returned = new CountDownLatch(1);
		this.listeners.inBackground(this.notifier, () -> {
			blocked.countDown();
			TestLocks.awaitQuietly(returned);
		});
		blocked.await();
		add(LockListeners.MOST_WAITING);
		assertThat(output).doesNotContain("so far");
		add(LockListeners.MOST_WAITING);
		assertThat(output).containsOnlyOnce("blocks the thread 'idempotent-lock-events', on which 10000 events wait")
			.containsOnlyOnce("dropped, 1 so far");
		add(1);
		assertThat(output).containsOnlyOnce("dropped, 10001 so far");
		assertThat(this.notified).as("on this thread").hasValue(0);
		returned.countDown();
		this.notifier.shutdown();
		assertThat(this.notifier.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.notified).hasValue(LockListeners.MOST_WAITING);
		add(1);
		assertThat(this.notified).as("after the close").hasValue(LockListeners.MOST_WAITING + 1);
	}

	private void add(int events) {
		for (int i = 0; i < events; i++) {
			this.listeners.inBackground(this.notifier, this.notified::incrementAndGet);
		}
	}

}
