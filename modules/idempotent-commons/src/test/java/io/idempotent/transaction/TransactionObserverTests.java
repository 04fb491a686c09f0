package io.idempotent.transaction;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Whether code has begun a transaction whose commit is in doubt.
 */
class TransactionObserverTests {

	private final LosingTransactionManager manager = new LosingTransactionManager(TestDatabase.h2().dataSource());

	private final TransactionTemplate transaction = new TransactionTemplate(this.manager);

	private final AtomicBoolean inDoubt = new AtomicBoolean();

	TransactionObserverTests() {
		this.manager.setTransactionExecutionListeners(List.of(new TransactionObserver(), new TransactionObserver()));
	}

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	@SuppressWarnings("try") // the scope ends with the block
	void aCommitInDoubtIsNoticedByAllWatchesAroundIt() {
		AtomicBoolean inner = new AtomicBoolean();
		watched(() -> {
			try (TransactionObserver.Watch watch = TransactionObserver.watch(() -> inner.set(true))) {
				loseCommit();
			}
		});
		assertThat(inner).isTrue();
		assertThat(this.inDoubt).isTrue();
	}

	@Test
	void transactionsThatEndAsReportedAreNotInDoubt() {
		watched(() -> this.transaction.execute((status) -> null));
		assertThatIllegalStateException().isThrownBy(() -> watched(() -> this.transaction.execute((status) -> {
			throw new IllegalStateException("planned");
		})));
		assertThat(this.inDoubt).isFalse();
	}

	@Test
	void aReadOnlyTransactionIsNotInDoubt() {
		this.transaction.setReadOnly(true);
		watched(this::loseCommit);
		assertThat(this.inDoubt).isFalse();
	}

	@Test
	void transactionsBesideTheCodeAreNotNoticed() {
		loseCommit();
		watched(() -> {
		});
		loseCommit();
		assertThat(this.inDoubt).isFalse();
	}

	@SuppressWarnings("try") // the scope ends with the block
	private void watched(Runnable code) {
		try (TransactionObserver.Watch watch = TransactionObserver.watch(() -> this.inDoubt.set(true))) {
			code.run();
		}
	}

	private void loseCommit() {
		this.manager.loseNextCommit(true);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.execute((status) -> null));
	}

}
