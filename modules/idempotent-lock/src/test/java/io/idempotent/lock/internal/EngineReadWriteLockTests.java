package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.MultiLock;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.TestLocks.Waiting;
import io.idempotent.lock.local.LocalLockEngine;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a read/write lock asks an engine, and what happens when one of the two is lost.
 */
@Timeout(60)
class EngineReadWriteLockTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake").thatShares();

	@AutoClose
	private final TestLocks locks = new TestLocks(this.engine);

	private final DistributedReadWriteLock lock = this.locks.locks.readWrite("a");

	private final DistributedLock read = this.lock.readLock();

	private final DistributedLock write = this.lock.writeLock();

	@Test
	void isUnavailableToReadersAfterTheLocksWereClosed() {
		LocalLockEngine engine = new LocalLockEngine();
		TestLocks closed = new TestLocks(engine);
		closed.close();
		try (TestLocks other = new TestLocks(engine); AcquiredLock writer = other.get("a").acquire(Duration.ZERO)) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(closed.locks.readWrite(writer.name()).readLock()::tryLock);
		}
	}

	@Nested
	class Requests {

		@Test
		void asksOnceForEachReader() throws Exception {
			read.lock();
			read.lock();
			assertThat(asked()).containsExactly(LockMode.READ);
			assertThat(locks.<Boolean>elsewhere(() -> {
				read.lock();
				read.unlock();
				return true;
			})).isTrue();
			assertThat(asked()).containsExactly(LockMode.READ, LockMode.READ);
		}

		@Test
		void makesNoRequestForAReaderUnderTheWriteLock() {
			write.lock();
			read.lock();
			read.unlock();
			write.unlock();
			assertThat(asked()).containsExactly(LockMode.WRITE);
			assertThat(locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
		}

		@Test
		void letsOneReaderOfANodeWaitAtTheEngine() throws Exception {
			CompletableFuture<LockGrant> reply = new CompletableFuture<>();
			engine.next((request, wait) -> reply.join());
			Waiting<Boolean> first = locks.waiting(this::readOnce);
			Waiting<Boolean> second = locks.waiting(this::readOnce);
			assertThat(asked()).hasSize(1);
			assertThat(read.tryLock()).as("an attempt that does not wait").isTrue();
			assertThat(asked()).hasSize(2);
			reply.complete(engine.grant(engine.requests.get(0)));
			assertThat(first.get()).isTrue();
			assertThat(second.get()).isTrue();
			assertThat(asked()).hasSize(3);
			read.unlock();
			assertThat(locks.locks.namesInUse()).isZero();
		}

		private boolean readOnce() {
			read.lock();
			read.unlock();
			return true;
		}

		@Test
		void asksForAllReadLocksOfAMultiLock() {
			MultiLock all = locks.locks.all(List.of("b", "c"), LockOptions.DEFAULTS.withMode(LockMode.READ));
			all.lock();
			assertThat(asked()).containsExactly(LockMode.READ, LockMode.READ);
			assertThat(locks.locks.held()).extracting(DistributedLock::mode).containsOnly(LockMode.READ);
			all.unlock();
		}

		private List<LockMode> asked() {
			return engine.requests.stream().map(LockRequest::mode).toList();
		}

	}

	@Nested
	class Losses {

		@Test
		void losesTheReadLockWithTheWriteLock() throws Exception {
			CompletableFuture<LockEvent> told = new CompletableFuture<>();
			write.lock();
			read.lock();
			read.lock();
			read.onLoss(told::complete);
			engine.endSession();
			assertThat(told.get(20, TimeUnit.SECONDS).type()).isEqualTo(LockEvent.Type.LOST);
			assertThat(read.isValid()).isFalse();
			assertLost(read::lock);
			assertLost(write::unlock);
			assertLost(read::unlock);
			assertLost(read::unlock);
			assertThat(locks.locks.held()).isEmpty();
			assertThat(locks.told()).filteredOn(LockEvent.Type.LOST::equals).hasSize(1);
		}

		@Test
		void cannotTakeTheReadLockUnderALostWriteLock() {
			write.lock();
			engine.endSession();
			await().until(() -> !write.isValid());
			assertLost(read::lock);
			assertLost(write::unlock);
			read.lock();
			read.unlock();
		}

		@Test
		void cannotTakeTheReadLockWhileTheWriteLockIsBeingLost() {
			engine.next((request, wait) -> engine.grant(request).onValidity(engine::endSession));
			write.lock();
			assertLost(read::lock);
			assertThat(locks.locks.held()).extracting(DistributedLock::mode).containsExactly(LockMode.WRITE);
			assertLost(write::unlock);
		}

		@Test
		void losesBothWhenTheGrantToDowngradeHasEnded() {
			write.lock();
			read.lock();
			engine.grant().vanish();
			assertLost(write::unlock);
			assertThat(read.isValid()).isFalse();
			assertLost(read::unlock);
		}

		@Test
		void losesTheReadLockWhenTheEngineCannotDowngrade() {
			write.lock();
			read.lock();
			FakeEngine.FakeGrant grant = engine.grant().onDowngrade(() -> {
				throw new LockUnavailableException("away", null);
			});
			write.unlock();
			assertThat(locks.told()).contains(LockEvent.Type.RELEASE_DELAYED);
			assertThat(read.isValid()).isFalse();
			assertLost(read::unlock);
			await().untilAsserted(() -> assertThat(grant.releases).isNotEmpty());
			assertThat(locks.locks.namesInUse()).isZero();
		}

		@Test
		void keepsTheLimitOfTheWriteLockAfterADowngrade() throws Exception {
			DistributedReadWriteLock limited = locks.locks.readWrite("b",
					LockOptions.DEFAULTS.withLease(Duration.ofMillis(400)).withRenewal(Renewal.FIXED));
			CompletableFuture<LockEvent> told = new CompletableFuture<>();
			long start = System.nanoTime();
			limited.writeLock().lock();
			limited.readLock().lock();
			limited.writeLock().unlock();
			limited.readLock().onLoss(told::complete);
			assertThat(told.get(20, TimeUnit.SECONDS).name()).isEqualTo("b");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(390));
			assertLost(limited.readLock()::unlock);
		}

		private void assertLost(ThrowingCallable call) {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(call);
		}

	}

	@Test
	void downgradesToAGrantThatIsRenewed() {
		DistributedReadWriteLock renewed = this.locks.locks.readWrite("b",
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(300)));
		renewed.writeLock().lock();
		renewed.readLock().lock();
		renewed.writeLock().unlock();
		FakeEngine.FakeGrant shared = this.engine.grant();
		assertThat(shared.request.mode()).isEqualTo(LockMode.READ);
		await().until(() -> shared.renewals.size() > 2);
		assertThat(renewed.readLock().isValid()).isTrue();
		renewed.readLock().unlock();
		assertThat(shared.releases).hasSize(1);
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.OBTAINED,
				LockEvent.Type.RELEASED, LockEvent.Type.RELEASED);
	}

	@Test
	void releasesTheSharedGrantIfTheReaderLeavesMeanwhile() {
		this.write.lock();
		this.read.lock();
		Runnable unlock = ((EngineLock) this.read).deferredUnlock();
		FakeEngine.FakeGrant writer = this.engine.grant();
		AtomicInteger downgrades = new AtomicInteger();
		writer.onDowngrade(() -> {
			downgrades.incrementAndGet();
			unlock.run();
			return this.engine.grant(writer.request.withMode(LockMode.READ));
		});
		this.write.unlock();
		assertThat(downgrades).hasValue(1);
		assertThat(this.engine.grant().releases).hasSize(1);
		assertThat(this.locks.locks.held()).isEmpty();
	}

	@Test
	void refusesToShareOnAnEngineWithoutSharing() {
		try (TestLocks exclusive = new TestLocks(FakeEngine.withLeases("plain"), FakeEngine.withLeases("other"))) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> exclusive.locks.readWrite("a"))
				.withMessageContainingAll("'plain'", "redisson, zookeeper, jdbc or local");
		}
	}

	@Test
	void namesTheReadLockInMessages() {
		assertThat(this.read).hasToString("DistributedLock[a, READ]");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.read::unlock)
			.withMessage("The current thread does not hold the read lock 'a'");
	}

}
