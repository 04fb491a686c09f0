package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.MultiLock;
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

		private void assertLost(ThrowingCallable call) {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(call);
		}

	}

	@Test
	void keepsTheWriteLockUntilTheReadingUnderItIsLeft() {
		this.write.lock();
		this.read.lock();
		this.write.unlock();
		assertThat(this.write.holdCount()).isZero();
		assertThat(this.read.holdCount()).isEqualTo(1);
		assertThat(this.engine.grant().releases).isEmpty();
		assertThat(this.locks.locks.held()).extracting(DistributedLock::mode).containsExactly(LockMode.READ);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.write::unlock);
		this.write.lock();
		this.read.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.read::unlock);
		assertThat(this.engine.grant().releases).isEmpty();
		this.write.unlock();
		assertThat(this.engine.grant().releases).hasSize(1);
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
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
