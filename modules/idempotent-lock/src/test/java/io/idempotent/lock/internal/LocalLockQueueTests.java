package io.idempotent.lock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The queue of the threads of one JVM.
 */
class LocalLockQueueTests {

	private static final int ROUNDS = 50_000;

	private static final LockRequest REQUEST = new LockRequest("a", TestLocks.LONG, false).uninterruptible();

	private final ConcurrentMap<String, LocalLockQueue> queues = new ConcurrentHashMap<>();

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "queued");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * A thread that gives up meets its admission, while others use the queue, so that it
	 * parks for the queue itself.
	 */
	@Test
	@Timeout(60)
	void aWaiterThatIsAdmittedWhileItGivesUpGoesOn() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		FakeEngine engine = FakeEngine.withLeases("fake");
		HeldLease grant = new HeldLease(engine, engine.grant(REQUEST), null, 0);
		QueuedRequest stranger = request(0);
		for (int i = 0; i < 3; i++) {
			this.threads.execute(() -> {
				while (!over.get()) {
					LocalLockQueue queue = this.queues.get("a");
					assertThat(queue != null && queue.handOff(stranger, grant)).isFalse();
				}
			});
		}
		List<Callable<Integer>> work = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			work.add(this::enterManyTimes);
		}
		List<Future<Integer>> entered = this.threads.invokeAll(work, 50, TimeUnit.SECONDS);
		over.set(true);
		assertThat(entered).noneMatch(Future::isCancelled);
		assertThat(this.queues).isEmpty();
	}

	private static QueuedRequest request(long wait) {
		return new QueuedRequest("a", LockOptions.DEFAULTS, REQUEST, wait);
	}

	private int enterManyTimes() throws InterruptedException {
		int entered = 0;
		for (int i = 0; i < ROUNDS; i++) {
			QueuedRequest request = request(1 + i % 20_000);
			LocalLockQueue queue = LocalLockQueue.enter(this.queues, request);
			if (queue.awaitAdmission(request)) {
				queue.leave(false);
				entered++;
			}
		}
		return entered;
	}

}
