package io.idempotent.transaction;

import java.util.List;

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
class TransactionWatchTests {

	private final LosingTransactionManager manager = new LosingTransactionManager(TestDatabase.h2().dataSource());

	private final TransactionTemplate transaction = new TransactionTemplate(this.manager);

	private final TransactionWatch watch = new TransactionWatch();

	TransactionWatchTests() {
		this.manager.setTransactionExecutionListeners(List.of(new TransactionObserver(), new TransactionObserver()));
	}

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	@SuppressWarnings("try") // the scope ends with the block
	void aCommitInDoubtIsNoticedByAllWatchesAroundIt() {
		TransactionWatch inner = new TransactionWatch();
		watched(() -> {
			try (TransactionWatch.Scope scope = inner.start()) {
				loseCommit();
			}
		});
		assertThat(inner.isInDoubt()).isTrue();
		assertThat(this.watch.isInDoubt()).isTrue();
	}

	@Test
	void transactionsThatEndAsReportedAreNotInDoubt() {
		watched(() -> this.transaction.execute((status) -> null));
		assertThatIllegalStateException().isThrownBy(() -> watched(() -> this.transaction.execute((status) -> {
			throw new IllegalStateException("planned");
		})));
		assertThat(this.watch.isInDoubt()).isFalse();
	}

	@Test
	void aReadOnlyTransactionIsNotInDoubt() {
		this.transaction.setReadOnly(true);
		watched(this::loseCommit);
		assertThat(this.watch.isInDoubt()).isFalse();
	}

	@Test
	void transactionsBesideTheCodeAreNotNoticed() {
		loseCommit();
		watched(() -> {
		});
		loseCommit();
		assertThat(this.watch.isInDoubt()).isFalse();
	}

	@SuppressWarnings("try") // the scope ends with the block
	private void watched(Runnable code) {
		try (TransactionWatch.Scope scope = this.watch.start()) {
			code.run();
		}
	}

	private void loseCommit() {
		this.manager.loseNextCommit(true);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.execute((status) -> null));
	}

}
