package io.idempotent.lock.administration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.administration.LockIntervention.Result;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;

/**
 * What operators see of the locks of this node, and what they change.
 */
class LockAdministrationTests {

	@AutoClose
	private final EngineDistributedLocks locks = new EngineDistributedLocks(
			List.of(new LocalLockEngine(), silentEngine()), Duration.ofSeconds(30), LockOptions.Settings.NONE,
			List.of(), "shop:lock:", LockObserver.NONE);

	private final List<LockIntervention> published = new ArrayList<>();

	private final LockAdministration administration = new LockAdministration(this.locks, null, this.published::add);

	@Nested
	class Held {

		@Test
		void showsAReentrantLockOnce() {
			DistributedLock lock = locks.get("a");
			lock.lock();
			lock.lock();
			assertThat(held()).singleElement().satisfies((held) -> {
				assertThat(held.name()).isEqualTo("a");
				assertThat(held.leaseLeft()).isNull();
				assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
				assertThat(held.token()).isEqualTo(lock.fencingToken());
			});
			lock.unlock();
			assertThat(held()).hasSize(1);
			lock.unlock();
			assertThat(held()).isEmpty();
		}

		@Test
		void showsTheOldestFirstWhileTimePasses() {
			List<String> names = IntStream.range(0, 2_000).mapToObj((number) -> "lock-" + number).toList();
			List<DistributedLock> all = names.stream().map(locks::get).toList();
			all.forEach(DistributedLock::lock);
			for (int i = 0; i < 20; i++) {
				assertThat(held()).extracting(HeldLockInfo::name).isEqualTo(names);
				assertThat(held()).extracting(HeldLockInfo::since).isSorted();
			}
			all.forEach(DistributedLock::unlock);
		}

		@Test
		void showsAWriterThatReads() {
			DistributedReadWriteLock lock = locks.readWrite("a");
			lock.writeLock().lock();
			lock.readLock().lock();
			lock.writeLock().unlock();
			assertThat(held()).extracting(HeldLockInfo::mode).containsExactly("write");
			lock.readLock().unlock();
			assertThat(held()).isEmpty();
		}

		@Test
		void showsALockNoLongerThatAnotherThreadHasReleased() {
			DistributedLock lock = locks.get("a");
			lock.lock();
			CompletableFuture.runAsync(((DeferrableLock) lock).deferredUnlock()).join();
			assertThat(held()).isEmpty();
			assertThat(waiting()).isEmpty();
		}

		@Test
		void showsTheLimitOfALockWithoutLease() {
			DistributedLock lock = locks.get("a", LockOptions.DEFAULTS.withHoldAtMost(Duration.ofMinutes(5)));
			lock.lock();
			assertThat(held().get(0).leaseLeft()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
			lock.unlock();
		}

	}

	@Nested
	class Waiting {

		@Test
		void showsThreadsInTheOrderOfTheirArrival() {
			DistributedLock lock = locks.get("a");
			lock.lock();
			List<CompletableFuture<Void>> taken = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				int waiters = i + 1;
				taken.add(CompletableFuture.runAsync(() -> {
					lock.lock();
					lock.unlock();
				}, (task) -> new Thread(task, "waiter-" + waiters).start()));
				await().until(() -> waiting().size() == waiters);
			}
			assertThat(waiting()).extracting(WaitingThread::thread).containsExactly("waiter-1", "waiter-2", "waiter-3");
			lock.unlock();
			taken.forEach(CompletableFuture::join);
			assertThat(waiting()).isEmpty();
		}

		@Test
		void showsNoThreadThatHandedItsLockOver() {
			DistributedLock lock = locks.get("a");
			CountDownLatch release = new CountDownLatch(1);
			lock.lock();
			CompletableFuture<Void> next = CompletableFuture.runAsync(() -> {
				lock.lock();
				Unchecked.run(() -> release.await());
				lock.unlock();
			}, (task) -> new Thread(task, "next").start());
			await().until(() -> waiting().size() == 1);
			lock.unlock();
			await().until(() -> held().size() == 1);
			assertThat(held()).extracting(HeldLockInfo::thread).containsExactly("next");
			assertThat(waiting()).isEmpty();
			release.countDown();
			next.join();
		}

		@Test
		void showsNoThreadThatGaveUp() {
			DistributedLock lock = locks.get("a");
			lock.lock();
			CompletableFuture<Boolean> taken = CompletableFuture.supplyAsync(() -> {
				return Unchecked.call(() -> lock.tryLock(20, TimeUnit.MILLISECONDS));
			});
			assertThat(taken.join()).isFalse();
			assertThat(waiting()).isEmpty();
			lock.unlock();
		}

	}

	@Nested
	class Interventions {

		@Test
		void namesTheLockWithoutItsPrefix() {
			DistributedLock lock = locks.get("a");
			lock.lock();
			assertThat(administration.inspect("a", null).isHeld()).isTrue();
			assertThat(release("a").name()).isEqualTo("a");
			assertThat(lock.isValid()).isFalse();
			assertThat(held()).isEmpty();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		}

		@Test
		void keepsTheLastHundred() {
			for (int i = 0; i < 101; i++) {
				release("lock-" + i);
			}
			assertThat(administration.interventions()).hasSize(100)
				.first()
				.extracting(LockIntervention::name)
				.isEqualTo("lock-100");
			assertThat(published).hasSize(101);
		}

		@Test
		void isNotUndoneByAListenerThatFails() {
			LockAdministration failing = new LockAdministration(locks, null, (made) -> {
				throw new IllegalStateException("A listener that fails");
			});
			locks.get("a").lock();
			assertThat(failing.forceRelease("a", null, "alice", "stuck").result()).isEqualTo(Result.DONE);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> failing.forceRelease("a", "silent", "alice", "x"));
			assertThat(failing.interventions()).hasSize(2);
		}

		@Test
		void recordsOneThatFailed() {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> administration.forceRelease("a", "silent", "alice", "x"))
				.withMessageContaining("'silent' cannot take a lock away");
			assertThat(published).singleElement().extracting(LockIntervention::result).isEqualTo(Result.FAILED);
		}

		@Test
		void refusesInvalidRequests() {
			assertThatIllegalArgumentException().isThrownBy(() -> administration.forceRelease("a b", null, "me", "x"));
			assertThatIllegalArgumentException().isThrownBy(() -> administration.forceRelease("a", "no", "me", "x"));
			assertThatIllegalArgumentException().isThrownBy(() -> administration.forceRelease("a", null, "", "x"));
			assertThatIllegalArgumentException().isThrownBy(() -> administration.forceRelease("a", null, "me", "\n"));
			assertThatIllegalArgumentException().isThrownBy(() -> administration.inspect("", "local"));
			assertThat(published).isEmpty();
		}

		private LockIntervention release(String name) {
			return administration.forceRelease(name, null, "alice", "stuck");
		}

	}

	private List<HeldLockInfo> held() {
		return this.administration.held();
	}

	private List<WaitingThread> waiting() {
		return this.administration.waiting();
	}

	/**
	 * An engine that shows nothing to operators.
	 */
	private static LockEngine silentEngine() {
		LockEngine silent = mock(CALLS_REAL_METHODS);
		willReturn("silent").given(silent).name();
		return silent;
	}

}
