package io.idempotent.lock.method;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A transaction of JTA that Spring takes part in, and that another thread completes.
 */
class TransactionalUnlockTests {

	private final EngineDistributedLocks locks = new EngineDistributedLocks(List.of(new LocalLockEngine()),
			Duration.ofMinutes(10), List.of());

	private final LockTemplate template = new LockTemplate(this.locks, new TransactionalUnlock(), LockOptions.DEFAULTS,
			Duration.ZERO, LockOptions.Settings.NONE);

	private final DistributedLock lock = this.locks.get("a");

	private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

	@BeforeEach
	void begin() {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
	}

	@AfterEach
	void close() {
		List.copyOf(TransactionSynchronizationManager.getResourceMap().keySet())
			.forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
		this.otherThread.shutdownNow();
		this.locks.close();
	}

	@Test
	void theThreadThatCompletesTheTransactionReleasesTheLock() throws Exception {
		this.template.executeWithoutResult("a", () -> {
		});
		assertThat(this.lock.isHeldByCurrentThread()).isTrue();
		assertThat(isFree(this.lock)).isFalse();
		List<TransactionSynchronization> transaction = leaveOpen();
		elsewhere(() -> {
			complete(transaction);
			assertThat(this.lock.tryLock()).isTrue();
			this.lock.unlock();
			return null;
		});
		assertThat(this.locks.held()).isEmpty();
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void theCompletingThreadReleasesSeveralLocks() throws Exception {
		this.template.execute(Set.of("a", "b", "c"), () -> true);
		assertThat(this.locks.held()).hasSize(3);
		List<TransactionSynchronization> transaction = leaveOpen();
		elsewhere(() -> {
			complete(transaction);
			return null;
		});
		assertThat(this.locks.held()).isEmpty();
		assertThat(isFree(this.locks.all("a", "b", "c"))).isTrue();
	}

	@Test
	void theFirstThreadKeepsALockItHasTakenAgain() throws Exception {
		this.template.executeWithoutResult("a", () -> {
		});
		List<TransactionSynchronization> transaction = leaveOpen();
		this.lock.lock();
		elsewhere(() -> {
			complete(transaction);
			return null;
		});
		assertThat(this.lock.holdCount()).isOne();
		assertThat(isFree(this.lock)).isFalse();
		this.lock.unlock();
		assertThat(isFree(this.lock)).isTrue();
	}

	@Test
	void theFirstThreadTakesTheLockAnewAfterTheCompletion() throws Exception {
		for (int round = 0; round < 3; round++) {
			this.template.executeWithoutResult("a", () -> {
			});
			List<TransactionSynchronization> transaction = leaveOpen();
			elsewhere(() -> {
				complete(transaction);
				return null;
			});
			this.lock.lock();
			assertThat(this.lock.holdCount()).isOne();
			this.lock.unlock();
			begin();
		}
		leaveOpen();
	}

	@Test
	void theSameThreadReleasesTheLockOnce() throws Exception {
		this.lock.lock();
		this.template.executeWithoutResult("a", () -> {
		});
		List<TransactionSynchronization> transaction = leaveOpen();
		complete(transaction);
		complete(transaction);
		assertThat(this.lock.holdCount()).isOne();
		this.lock.unlock();
		assertThat(isFree(this.lock)).isTrue();
	}

	/**
	 * What Spring does at the end of its part in a transaction that somebody else began.
	 */
	private static List<TransactionSynchronization> leaveOpen() {
		List<TransactionSynchronization> left = TransactionSynchronizationManager.getSynchronizations();
		TransactionSynchronizationManager.clear();
		return left;
	}

	private static void complete(List<TransactionSynchronization> transaction) {
		TransactionSynchronizationUtils.invokeAfterCompletion(transaction, TransactionSynchronization.STATUS_COMMITTED);
	}

	private boolean isFree(Lock taken) throws Exception {
		return elsewhere(() -> {
			boolean free = taken.tryLock();
			if (free) {
				taken.unlock();
			}
			return free;
		});
	}

	private <T> T elsewhere(Callable<T> task) throws Exception {
		return this.otherThread.submit(task).get(20, TimeUnit.SECONDS);
	}

}
