package io.idempotent.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Leases are strings here, and each is due at every check.
 */
@Timeout(30)
class RecurringWorkTests {

	private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("scheduler"));

	private final ExecutorService workers = DaemonThreads.workers("worker");

	private final List<String> renewed = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.scheduler.shutdownNow();
		this.workers.shutdownNow();
	}

	private RecurringWork<String> renewer(ExecutorService threads) {
		return new RecurringWork<>(new Policy(), this.scheduler, threads);
	}

	@Test
	void aLeaseIsRenewedUntilItIsRemoved() {
		RecurringWork<String> renewer = renewer(this.workers);
		renewer.add("a");
		await().until(() -> this.renewed.size() >= 3);
		renewer.remove("a");
		await().until(() -> this.scheduler.getQueue().isEmpty() && this.scheduler.getActiveCount() == 0);
		assertThat(this.scheduler.getTaskCount()).isEqualTo(this.scheduler.getCompletedTaskCount());
	}

	@Test
	void aLeaseIsRenewedByOneWorkerAtATime() {
		Deque<Runnable> tasks = new ArrayDeque<>();
		ExecutorService manual = mock();
		willAnswer((execute) -> tasks.add(execute.getArgument(0))).given(manual).execute(any());
		RecurringWork<String> renewer = renewer(manual);
		renewer.doNow("a");
		renewer.doNow("a");
		assertThat(tasks).hasSize(1);
		tasks.remove().run();
		renewer.doNow("a");
		assertThat(tasks).hasSize(1);
	}

	@Test
	void laterLeasesDoNotPostponeACheck() {
		AtomicInteger added = new AtomicInteger();
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public long nanosToNextCheck(String lease) {
				return TimeUnit.MILLISECONDS.toNanos(900 - added.get());
			}
		}, this.scheduler, this.workers);
		renewer.add("first");
		await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> {
			renewer.add("later " + added.incrementAndGet());
			return this.renewed.contains("first") || added.get() > 500;
		});
		assertThat(this.renewed).contains("first");
	}

	@Test
	void aRenewalThatBlocksDelaysNeitherChecksNorOtherRenewals() {
		CountDownLatch unblocked = new CountDownLatch(1);
		AtomicInteger checks = new AtomicInteger();
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public boolean isDue(String lease) {
				checks.incrementAndGet();
				return super.isDue(lease);
			}

			@Override
			public void perform(String lease) {
				if (lease.startsWith("blocked")) {
					await().until(() -> unblocked.getCount() == 0);
				}
				super.perform(lease);
			}
		}, this.scheduler, this.workers);
		List.of("blocked 1", "blocked 2", "blocked 3").forEach(renewer::add);
		renewer.add("free");
		await().until(() -> this.renewed.size() >= 5);
		assertThat(this.renewed).containsOnly("free");
		assertThat(checks.get()).isGreaterThanOrEqualTo(10);
		unblocked.countDown();
		await().until(() -> this.renewed.contains("blocked 1"));
	}

	@Test
	void aCheckThatFailsIsFollowedByAnother() {
		AtomicInteger checks = new AtomicInteger();
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public boolean isDue(String lease) {
				if (checks.incrementAndGet() == 1) {
					throw new NoClassDefFoundError("another version");
				}
				return super.isDue(lease);
			}
		}, this.scheduler, this.workers);
		renewer.add("a");
		await().until(() -> !this.renewed.isEmpty());
	}

	/** As of a grant of an engine of the application's own. */
	@Test
	void aCheckThatAlwaysFailsDelaysNoOther() {
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public boolean isDue(String lease) {
				if (lease.equals("broken")) {
					throw new IllegalStateException("a defect");
				}
				return super.isDue(lease);
			}
		}, this.scheduler, this.workers);
		List<String> others = IntStream.range(0, 20).mapToObj((number) -> "lease " + number).toList();
		renewer.add("broken");
		others.forEach(renewer::add);
		await().untilAsserted(() -> assertThat(this.renewed).containsAll(others));
	}

	@Test
	void aRenewalThatFailsIsFollowedByAnother() {
		AtomicInteger renewals = new AtomicInteger();
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public void perform(String lease) {
				if (renewals.incrementAndGet() == 1) {
					throw new StackOverflowError();
				}
				super.perform(lease);
			}
		}, this.scheduler, this.workers);
		renewer.add("a");
		await().until(() -> !this.renewed.isEmpty());
	}

	@Test
	void aLeaseThatNeedsNoCheckIsNotChecked() {
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public long nanosToNextCheck(String lease) {
				return lease.equals("endless") ? RecurringWork.NEVER : super.nanosToNextCheck(lease);
			}
		}, this.scheduler, this.workers);
		renewer.add("endless");
		renewer.checkSooner("endless");
		assertThat(renewer.items()).containsExactly("endless");
		assertThat(this.scheduler.getTaskCount()).isZero();
		renewer.add("a");
		await().until(() -> this.renewed.contains("a"));
		renewer.remove("a");
		await().until(() -> this.scheduler.getQueue().isEmpty() && this.scheduler.getActiveCount() == 0);
	}

	@Test
	void aCheckThatNoThreadCouldMakeIsMadeWithTheNextLease() {
		AtomicInteger scheduled = new AtomicInteger();
		ScheduledThreadPoolExecutor exhausted = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("scheduler")) {
			@Override
			public ScheduledFuture<?> schedule(Runnable check, long delay, TimeUnit unit) {
				if (scheduled.incrementAndGet() == 1) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return super.schedule(check, delay, unit);
			}
		};
		AtomicBoolean suspect = new AtomicBoolean();
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public long nanosToNextCheck(String lease) {
				return suspect.get() && lease.equals("suspect") ? super.nanosToNextCheck(lease) : RecurringWork.NEVER;
			}
		}, exhausted, this.workers);
		renewer.add("suspect");
		suspect.set(true);
		renewer.checkSooner("suspect");
		renewer.add("endless");
		await().until(() -> this.renewed.contains("suspect"));
		exhausted.shutdownNow();
	}

	@Test
	void aDueLeaseIsRenewedWithoutACheck() {
		RecurringWork<String> renewer = new RecurringWork<>(new Policy() {
			@Override
			public boolean isDue(String lease) {
				return false;
			}
		}, this.scheduler, this.workers);
		renewer.addDue("a");
		await().until(() -> this.renewed.equals(List.of("a")));
		assertThat(renewer.items()).containsExactly("a");
	}

	@Test
	void nothingIsRenewedAfterTheExecutorsAreClosed() {
		RecurringWork<String> renewer = renewer(this.workers);
		close();
		renewer.add("a");
		renewer.doNow("a");
		assertThat(this.renewed).isEmpty();
	}

	private class Policy implements RecurringWork.Policy<String> {

		@Override
		public boolean isDue(String lease) {
			return true;
		}

		@Override
		public long nanosToNextCheck(String lease) {
			return TimeUnit.MILLISECONDS.toNanos(10);
		}

		@Override
		public void perform(String lease) {
			RecurringWorkTests.this.renewed.add(lease);
		}

	}

}
