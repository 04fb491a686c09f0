package io.idempotent.jdbc.receipt;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.Receipts.Receipt;
import io.idempotent.support.Digest;
import io.idempotent.testing.Callbacks;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.Unchecked;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/**
 * What holds for receipts in every database.
 */
abstract class ReceiptGuardContract {

	private static final int ATTEMPTS = 8;

	private static final int ROUNDS = 30;

	private static final Duration RETENTION = Duration.ofHours(1);

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("content").build());

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.create", "node", null,
			Instant.EPOCH);

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newFixedThreadPool(ATTEMPTS);

	private final SecureRandom random = new SecureRandom();

	private final OperationKey key = newKey();

	private GuardedDatabase database;

	private ReceiptGuard guard;

	private LosingTransactionManager transactions;

	private TransactionTemplate transaction;

	protected abstract GuardedDatabase database();

	@BeforeEach
	void prepare() {
		this.database = database();
		this.database.sql().update("delete from effect");
		this.database.sql().update("delete from idempotent_receipt");
		this.guard = guard("idempotent_receipt");
		this.transactions = new LosingTransactionManager(this.database);
		this.transactions.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(this.guard)));
		this.transaction = new TransactionTemplate(this.transactions);
		this.database.takeStatements();
	}

	@Test
	void aTransactionOfAnOperationLeavesAReceipt() {
		AttemptReceipt receipt = receipt(3);
		run(receipt, () -> inTransaction(() -> write(1)));
		assertThat(receipt.isCommitted()).isTrue();
		assertThat(this.guard.find(this.key).map(Receipt::outcome)).contains(Outcome.TOMBSTONE);
		assertThat(this.database.sql()
			.queryForList("select operation from idempotent_receipt where attempt = 3", String.class))
			.containsExactly("Orders.create");
	}

	@Test
	void aReceiptHasTheTimeInMicrosecondsSince1970() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		assertThat(
				this.database.sql().queryForObject("select max(created_at) / 1000 from idempotent_receipt", Long.class))
			.isCloseTo(System.currentTimeMillis(), within(TimeUnit.MINUTES.toMillis(1)));
	}

	@Test
	void anOperationCostsOneStatementHoweverManyTransactionsItHas() {
		run(receipt(1), () -> {
			inTransaction(() -> write(1));
			assertThat(this.database.takeStatements()).hasSize(2);
			inTransaction(() -> write(2));
			assertThat(this.database.takeStatements()).hasSize(1);
		});
		assertThat(effects()).containsExactly(1L, 2L);
	}

	@Test
	void severalOperationsInATransactionCostOneStatement() {
		List<AttemptReceipt> receipts = Stream.generate(() -> receipt(newKey(), 1)).limit(20).toList();
		inTransaction(() -> receipts.forEach((receipt) -> run(receipt, () -> {
		})));
		assertThat(this.database.takeStatements()).hasSize(1);
		assertThat(receipts).allMatch(AttemptReceipt::isCommitted)
			.allSatisfy((receipt) -> assertThat(this.guard.find(receipt.claimId().key())).isPresent());
	}

	@Test
	void oneEarlierReceiptRollsBackSeveralOperations() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		List<AttemptReceipt> receipts = List.of(receipt(newKey(), 1), receipt(this.key, 2), receipt(newKey(), 1));
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> inTransaction(() -> receipts.forEach((receipt) -> run(receipt, () -> write(2)))));
		assertThat(receipts).noneMatch(AttemptReceipt::isCommitted);
		assertThat(receipts).extracting(AttemptReceipt::hasEarlierEffect).containsExactly(false, true, false);
		assertThat(effects()).containsExactly(1L);
		assertThat(this.guard.find(receipts.get(0).claimId().key())).isEmpty();
	}

	@Test
	void anAttemptMayCommitAgainTogetherWithOthers() {
		AttemptReceipt first = receipt(1);
		run(first, () -> inTransaction(() -> write(1)));
		AttemptReceipt again = receipt(first.claimId());
		AttemptReceipt other = receipt(newKey(), 1);
		inTransaction(() -> List.of(again, other).forEach((receipt) -> run(receipt, () -> write(2))));
		assertThat(List.of(again, other)).allMatch(AttemptReceipt::isCommitted);
		assertThat(effects()).containsExactly(1L, 2L, 2L);
	}

	@Test
	void anOwnerMayCommitAgainAfterItsReceipt() {
		Owner owner = Owner.draw(this.random);
		run(receipt(claim(owner)), () -> inTransaction(() -> write(1)));
		run(receipt(claim(owner)), () -> inTransaction(() -> write(2)));
		assertThat(effects()).containsExactly(1L, 2L);
	}

	@Test
	void aSecondAttemptIsRolledBack() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		AttemptReceipt second = receipt(2);
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> run(second, () -> inTransaction(() -> write(2))))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE))
			.satisfies((ex) -> assertThat(ex.operation()).isEqualTo("Orders.create"));
		assertThat(second.hasEarlierEffect()).isTrue();
		assertThat(second.isCommitted()).isFalse();
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void aSecondAttemptWithAnOlderSnapshotIsAConflict() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatThrownBy(() -> run(receipt(2), () -> inTransaction(() -> {
			assertThat(this.database.sql().queryForObject("select count(*) from idempotent_receipt", Integer.class))
				.isZero();
			CompletableFuture.runAsync(() -> run(receipt(1), () -> inTransaction(() -> write(1)))).join();
		}))).isInstanceOfAny(SubmissionRefusedException.class, ConcurrencyFailureException.class);
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void aCallbackBeforeTheCommitMayCommitForTheSameRun() {
		TransactionTemplate independent = propagating(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		run(receipt(1), () -> inTransaction(() -> {
			write(1);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					independent.executeWithoutResult((status) -> write(2));
				}

				@Override
				public void beforeCompletion() {
					independent.executeWithoutResult((status) -> write(3));
				}

			});
		}));
		assertThat(effects()).containsExactlyInAnyOrder(1L, 2L, 3L);
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> run(receipt(2), () -> inTransaction(() -> write(4))));
	}

	@Test
	void aTransactionInsideTheCommitOfItsRunDoesNotWait() {
		TransactionTemplate independent = propagating(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		// As an entity listener does in the flush before a commit.
		DataSourceTransactionManager flushing = new DataSourceTransactionManager(this.database) {

			@Override
			protected void doCommit(DefaultTransactionStatus status) {
				independent.executeWithoutResult((inner) -> write(2));
				super.doCommit(status);
			}

		};
		flushing.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(this.guard)));
		run(receipt(1), () -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> new TransactionTemplate(flushing).executeWithoutResult((status) -> write(1)))
				.withMessageContaining("Orders.create")
				.withMessageContaining("flush before the commit");
			inTransaction(() -> write(3));
		});
		assertThat(effects()).containsExactly(3L);
	}

	@Test
	void anOutcomeThatIsKnownAfterTheFirstCommitIsAddedToTheReceipt() {
		Outcome outcome = Outcome.stored(new byte[] { 1, 2, 3 });
		AttemptReceipt receipt = receipt(1);
		run(receipt, () -> {
			inTransaction(() -> write(1));
			inTransaction(() -> {
				write(2);
				receipt.commitsWith(outcome);
			});
		});
		assertThat(this.guard.find(this.key).map(Receipt::outcome)).contains(outcome);
		assertThat(receipt.committedOutcome()).isEqualTo(outcome);
	}

	@Test
	void anInnerTransactionOnAnotherDatabaseWritesNoReceipt() {
		try (GuardedDatabase other = GuardedDatabase.h2()) {
			DataSourceTransactionManager elsewhere = new DataSourceTransactionManager(other);
			elsewhere.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(this.guard)));
			AttemptReceipt receipt = receipt(1);
			run(receipt, () -> this.transaction.executeWithoutResult((status) -> {
				write(1);
				new TransactionTemplate(elsewhere).executeWithoutResult((inner) -> {
				});
				assertThat(receipt.isCommitted()).isFalse();
				status.setRollbackOnly();
			}));
			assertThat(receipt.isCommitted()).isFalse();
		}
	}

	@Test
	void onlyOneOfConcurrentAttemptsCommits() throws Exception {
		for (int round = 0; round < ROUNDS; round++) {
			OperationKey contended = newKey();
			CyclicBarrier together = new CyclicBarrier(ATTEMPTS);
			List<Callable<Boolean>> attempts = IntStream.range(0, ATTEMPTS)
				.mapToObj((attempt) -> receipt(contended, attempt))
				.<Callable<Boolean>>map((receipt) -> () -> isCommitted(receipt, together))
				.toList();
			int committed = 0;
			for (Future<Boolean> attempt : this.threads.invokeAll(attempts)) {
				committed += attempt.get() ? 1 : 0;
			}
			assertThat(committed).isOne();
		}
		assertThat(effects()).hasSize(ROUNDS);
	}

	private boolean isCommitted(AttemptReceipt receipt, CyclicBarrier together) throws Exception {
		try {
			this.guard.<Void, Exception>execute(receipt, () -> {
				this.transaction.executeWithoutResult((status) -> {
					write(receipt.claimId().attempt());
					await(together);
				});
				return null;
			});
		}
		catch (SubmissionRefusedException ex) {
			assertThat(receipt.hasEarlierEffect()).isTrue();
		}
		return receipt.isCommitted();
	}

	@ParameterizedTest
	@EnumSource
	void aTransactionThatFailsBeforeItsCommitIsRolledBack(BeforeCommit failure) {
		AttemptReceipt receipt = receipt(1);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> run(receipt, () -> inTransaction(() -> {
			write(1);
			Callbacks.beforeCommit(() -> failure.work.accept(this.transactions));
		})));
		assertThat(effects()).isEmpty();
		assertThat(this.guard.find(this.key)).isEmpty();
		assertThat(receipt.isInDoubt()).isFalse();
		run(receipt(2), () -> inTransaction(() -> write(2)));
		assertThat(effects()).containsExactly(2L);
	}

	@Test
	void aTransactionThatTimesOutBeforeItsCommitIsRolledBack() {
		this.transaction.setTimeout(1);
		assertThatExceptionOfType(TransactionTimedOutException.class)
			.isThrownBy(() -> run(receipt(1), () -> inTransaction(() -> {
				write(1);
				Callbacks.beforeCommit(() -> Awaitility.await()
					.pollInSameThread()
					.untilAsserted(() -> assertThatExceptionOfType(TransactionTimedOutException.class)
						.isThrownBy(() -> write(2))));
				Callbacks.beforeCommit(() -> write(3));
			})));
		assertThat(effects()).isEmpty();
	}

	@Test
	void aTransactionStoppedByAnotherListenerIsRolledBack() {
		ReceiptRegistrar registrar = new ReceiptRegistrar(this.guard);
		this.transactions.setTransactionExecutionListeners(List.of(new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution execution) {
				throw new TransactionSystemException("planned");
			}

		}, registrar));
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> run(receipt(1), () -> inTransaction(() -> write(1))));
		assertThat(effects()).isEmpty();
	}

	@Test
	void aTransactionThatIsRolledBackLeavesNoReceipt() {
		AttemptReceipt failing = receipt(1);
		run(failing, () -> this.transaction.executeWithoutResult((status) -> {
			write(1);
			status.setRollbackOnly();
		}));
		assertThat(failing.isCommitted()).isFalse();
		assertThat(this.guard.find(this.key)).isEmpty();
		run(receipt(2), () -> inTransaction(() -> write(2)));
		assertThat(effects()).containsExactly(2L);
	}

	@Test
	void aTransactionThatFailsAfterItsReceiptWasWrittenLeavesNone() {
		AttemptReceipt failing = receipt(1);
		this.transactions.setRollbackOnCommitFailure(true);
		this.transactions.loseNextCommit(false);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> run(failing, () -> inTransaction(() -> write(1))));
		assertThat(failing.isCommitted()).isFalse();
		assertThat(this.guard.find(this.key)).isEmpty();
		run(receipt(2), () -> inTransaction(() -> write(2)));
		assertThat(effects()).containsExactly(2L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aCommitWhoseReplyWasLostIsNotRepeatedByTheSameRun(boolean takenForRollback) {
		AttemptReceipt receipt = receipt(1);
		run(receipt, () -> {
			this.transactions.setRollbackOnCommitFailure(takenForRollback);
			this.transactions.loseNextCommit(true);
			assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> inTransaction(() -> write(1)));
			assertThat(receipt.isCommitted()).isFalse();
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> inTransaction(() -> write(1)));
		});
		assertThat(receipt.hasEarlierEffect()).isTrue();
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void aCommitThatArrivesAfterItWasLookedForIsNotRepeated() {
		AttemptReceipt receipt = receipt(1);
		this.transactions.loseNextCommit(false);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> run(receipt, () -> inTransaction(() -> write(1))));
		assertThat(receipt.find()).isNull();
		run(receipt(receipt.claimId()), () -> inTransaction(() -> write(2)));
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> run(receipt, () -> inTransaction(() -> write(3))));
		assertThat(effects()).containsExactly(2L);
	}

	@Test
	void aCommitWhoseReplyWasLostAndThatNeverHappenedIsRepeated() {
		AttemptReceipt receipt = receipt(1);
		run(receipt, () -> {
			this.transactions.loseNextCommit(false);
			assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> inTransaction(() -> write(1)));
			inTransaction(() -> write(2));
		});
		assertThat(receipt.isCommitted()).isTrue();
		assertThat(effects()).containsExactly(2L);
	}

	@Test
	void aReadOnlyTransactionLeavesNoReceipt() {
		this.transaction.setReadOnly(true);
		run(receipt(1), () -> inTransaction(() -> assertThat(effects()).isEmpty()));
		assertThat(this.guard.find(this.key)).isEmpty();
	}

	@Test
	void aTransactionOutsideOfOperationsLeavesNoReceipt() {
		run(receipt(1), () -> {
		});
		inTransaction(() -> write(1));
		assertThat(this.database.takeStatements()).hasSize(1);
		assertThat(this.guard.find(this.key)).isEmpty();
	}

	@Test
	void aTransactionThatIsOpenAlreadyBelongsToTheOperation() {
		AttemptReceipt receipt = receipt(1);
		inTransaction(() -> run(receipt, () -> write(1)));
		assertThat(receipt.isCommitted()).isTrue();
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> inTransaction(() -> run(receipt(2), () -> write(2))));
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void aTransactionThatSuspendsAnotherMayCommitFirst() {
		TransactionTemplate independent = propagating(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		run(receipt(1), () -> inTransaction(() -> {
			write(1);
			independent.executeWithoutResult((status) -> write(2));
			write(3);
		}));
		assertThat(effects()).containsExactlyInAnyOrder(1L, 2L, 3L);
	}

	@Test
	void transactionsThatAreNestedCostNoStatementsOfTheirOwn() {
		TransactionTemplate nested = nested();
		run(receipt(1), () -> inTransaction(() -> {
			nested.executeWithoutResult((status) -> write(1));
			nested.executeWithoutResult((status) -> write(2));
			this.database.takeStatements();
		}));
		assertThat(this.database.takeStatements()).hasSize(1);
		assertThat(effects()).containsExactly(1L, 2L);
	}

	@Test
	void aRollbackToAnEarlierSavepointLeavesNoReceipt() {
		AttemptReceipt undone = receipt(1);
		AttemptReceipt standing = receipt(newKey(), 1);
		inTransaction(() -> {
			run(standing, () -> write(1));
			nested().executeWithoutResult((status) -> {
				run(undone, () -> write(2));
				status.setRollbackOnly();
			});
		});
		assertThat(undone.isCommitted()).isFalse();
		assertThat(this.guard.find(this.key)).isEmpty();
		assertThat(standing.isCommitted()).isTrue();
		inTransaction(() -> nested().executeWithoutResult((status) -> {
			run(receipt(2), () -> write(3));
			status.setRollbackOnly();
		}));
		run(receipt(3), () -> inTransaction(() -> write(4)));
		assertThat(effects()).containsExactly(1L, 4L);
	}

	@Test
	void aRollbackToASavepointOfTheOperationLeavesAReceipt() {
		AttemptReceipt receipt = receipt(1);
		run(receipt, () -> inTransaction(() -> {
			write(1);
			nested().executeWithoutResult((status) -> {
				write(2);
				status.setRollbackOnly();
			});
		}));
		assertThat(receipt.isCommitted()).isTrue();
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void aRunThatWasRefusedCommitsNothingMore() {
		AttemptReceipt first = receipt(1);
		run(first, () -> inTransaction(() -> write(1)));
		AttemptReceipt second = receipt(2);
		run(second, () -> {
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> inTransaction(() -> write(2)));
			this.guard.withdraw(first);
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> inTransaction(() -> write(3)));
		});
		assertThat(effects()).containsExactly(1L);
	}

	@Test
	void anOperationInAnOperationLeavesTheReceiptsOfBoth() {
		OperationKey inner = newKey();
		run(receipt(1), () -> run(receipt(inner, 1), () -> inTransaction(() -> write(1))));
		assertThat(this.guard.find(this.key)).isPresent();
		assertThat(this.guard.find(inner)).isPresent();
	}

	@Test
	void writesAfterAnInnerOperationBelongToTheOuterOne() {
		OperationKey inner = newKey();
		run(receipt(1), () -> {
			run(receipt(inner, 1), () -> {
			});
			inTransaction(() -> write(1));
		});
		assertThat(this.guard.find(this.key)).isPresent();
		assertThat(this.guard.find(inner)).isEmpty();
	}

	@Test
	void transactionsOfOneRunMayCommitInSeveralThreads() throws Exception {
		AttemptReceipt receipt = receipt(1);
		CyclicBarrier together = new CyclicBarrier(2);
		Callable<Void> half = () -> this.guard.<Void, Exception>execute(receipt, () -> {
			this.transaction.executeWithoutResult((status) -> {
				write(1);
				await(together);
			});
			return null;
		});
		for (Future<Void> each : this.threads.invokeAll(List.of(half, half))) {
			each.get();
		}
		assertThat(effects()).containsExactly(1L, 1L);
		assertThat(receipt.isCommitted()).isTrue();
	}

	@Test
	void aWithdrawnReceiptAllowsAnotherAttempt() {
		AttemptReceipt first = receipt(1);
		run(first, () -> inTransaction(() -> write(1)));
		this.guard.withdraw(first);
		assertThat(this.guard.find(this.key)).isEmpty();
		run(receipt(2), () -> inTransaction(() -> write(2)));
		assertThat(effects()).containsExactly(1L, 2L);
	}

	@Test
	void anAttemptCannotWithdrawTheReceiptOfAnother() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		this.guard.withdraw(receipt(1));
		assertThat(this.guard.find(this.key)).isPresent();
	}

	@Test
	void receiptsAreDeletedAfterTheirRetentionInBatches() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		byte[] owner = Owner.draw(this.random).bytes();
		List<Object[]> old = Stream.generate(() -> new Object[] { newKey().digest().bytes(), owner })
			.limit(ReceiptStatements.BATCH + 1)
			.toList();
		this.database.sql()
			.batchUpdate("insert into idempotent_receipt (operation_key, owner, attempt, operation, created_at)"
					+ " values (?, ?, 1, 'Orders.create', 0)", old);
		this.database.takeStatements();
		assertThat(this.guard.purge()).isEqualTo(ReceiptStatements.BATCH + 1L);
		assertThat(this.database.takeStatements()).hasSize(2);
		assertThat(this.guard.find(this.key)).isPresent();
		assertThat(this.guard.purge()).isZero();
	}

	@Test
	void receiptsMayBeKeptForEver() {
		run(receipt(1), () -> inTransaction(() -> write(1)));
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(new ReceiptGuard(this.database, "idempotent_receipt", forEver, Duration.ofSeconds(5),
				RecordEncryption.NONE)
			.purge()).isZero();
		assertThat(this.guard.find(this.key)).isPresent();
	}

	@Test
	void aMissingTableRollsBackAndIsReportedWithAnAction() {
		ReceiptGuard lost = guard("no_such_table");
		this.transactions.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(lost)));
		assertThatExceptionOfType(InvalidDataAccessResourceUsageException.class)
			.isThrownBy(() -> lost.<Void, RuntimeException>execute(receipt(1), () -> {
				inTransaction(() -> write(1));
				return null;
			}))
			.withMessageContaining("Orders.create")
			.withMessageContaining("initialize-schema");
		assertThat(effects()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> guard("a; drop table b"));
	}

	@Test
	void aTransactionOnAnotherDatabaseLeavesNoReceipt() {
		try (GuardedDatabase other = GuardedDatabase.h2()) {
			DataSourceTransactionManager elsewhere = new DataSourceTransactionManager(other);
			elsewhere.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(this.guard)));
			AttemptReceipt receipt = receipt(1);
			run(receipt, () -> new TransactionTemplate(elsewhere)
				.executeWithoutResult((status) -> other.sql().update("insert into effect (token) values (1)")));
			assertThat(receipt.isCommitted()).isFalse();
			assertThat(this.guard.find(this.key)).isEmpty();
		}
	}

	@Test
	void aTransactionAwareProxyLeadsToTheSameDatabase() {
		ReceiptGuard proxied = new ReceiptGuard(new TransactionAwareDataSourceProxy(this.database),
				"idempotent_receipt", Duration.ofHours(1), Duration.ofSeconds(5), RecordEncryption.NONE);
		this.transactions.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(proxied)));
		AttemptReceipt receipt = receipt(1);
		proxied.<Void, RuntimeException>execute(receipt, () -> {
			inTransaction(() -> write(1));
			return null;
		});
		assertThat(receipt.isCommitted()).isTrue();
	}

	@Test
	void aTransactionOnTheWrongDatabaseIsRolledBackWithAReason() {
		try (GuardedDatabase other = GuardedDatabase.h2()) {
			TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
			assertThatIllegalStateException().isThrownBy(() -> elsewhere.executeWithoutResult((status) -> {
				assertThat(effects()).isEmpty();
				run(receipt(1), () -> other.sql().update("insert into effect (token) values (1)"));
			})).withMessageContaining("Orders.create").withMessageContaining("not on the guarded DataSource");
			assertThat(this.guard.find(this.key)).isEmpty();
			assertThat(other.sql().queryForList("select token from effect")).isEmpty();
		}
	}

	private ReceiptGuard guard(String table) {
		return new ReceiptGuard(this.database, table, RETENTION, Duration.ofSeconds(5), RecordEncryption.NONE);
	}

	private static OperationKey newKey() {
		return OperationKey.of("test", "Orders.create", List.of(), UUID.randomUUID().toString());
	}

	@Test
	void aStoreOfReceiptsFindsTheOutcomeOfATransaction() {
		ClaimRequest request = request("content");
		assertThat(this.guard.store().claim(request)).isEqualTo(new ClaimResult.Granted(1, false));
		Outcome outcome = Outcome.stored(new byte[] { 1, 2 });
		commit(request, outcome);
		this.database.takeStatements();
		assertThat(this.guard.store().complete(request.claimId(1), outcome, RETENTION)).isEqualTo(Ownership.HELD);
		assertThat(this.database.takeStatements()).isEmpty();
		assertThat(guard("idempotent_receipt").store().claim(request("content")))
			.isInstanceOfSatisfying(ClaimResult.Completed.class, (completed) -> {
				assertThat(completed.outcome()).isEqualTo(outcome);
				assertThat(completed.retentionLeft()).isBetween(RETENTION.minusMinutes(1), RETENTION);
			});
	}

	@Test
	void aStoreOfReceiptsAddsAnOutcomeThatCameLater() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		commit(request, Outcome.TOMBSTONE);
		Outcome outcome = Outcome.stored(new byte[] { 1, 2 });
		this.guard.store().complete(request.claimId(1), outcome, RETENTION);
		assertThat(this.guard.find(this.key).map(Receipt::outcome)).contains(outcome);
	}

	@Test
	void aStoreOfReceiptsRecordsWhatHadNoTransaction() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		Outcome outcome = Outcome.stored(new byte[] { 1, 2 });
		assertThat(this.guard.store().complete(request.claimId(1), outcome, RETENTION)).isEqualTo(Ownership.HELD);
		ClaimRequest late = request("content");
		assertThat(guard("idempotent_receipt").store().complete(late.claimId(1), outcome, RETENTION))
			.isEqualTo(Ownership.LOST);
		assertThat(this.guard.store().claim(late)).isInstanceOf(ClaimResult.Completed.class);
	}

	@Test
	void aStoreOfReceiptsRefusesOtherContent() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		assertThat(this.guard.store().claim(request("content"))).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(this.guard.store().claim(request("other")))
			.isEqualTo(new ClaimResult.KeyReused(request.fingerprint()));
		this.guard.store().complete(request.claimId(1), Outcome.TOMBSTONE, RETENTION);
		assertThat(this.guard.store().claim(request("other")))
			.isEqualTo(new ClaimResult.KeyReused(request.fingerprint()));
	}

	@Test
	void aStoreOfReceiptsForgetsAReleasedClaim() {
		for (Release release : List.of(Release.NO_EFFECT, Release.UNKNOWN)) {
			ClaimRequest request = request("content");
			assertThat(this.guard.store().claim(request)).isEqualTo(new ClaimResult.Granted(1, false));
			assertThat(this.guard.store().renew(request.claimId(1), Duration.ofSeconds(1))).isEqualTo(Ownership.HELD);
			assertThat(this.guard.store().release(request.claimId(1), release)).isEqualTo(Ownership.HELD);
			assertThat(this.guard.store().release(request.claimId(1), release)).isEqualTo(Ownership.LOST);
			assertThat(this.guard.store().renew(request.claimId(1), Duration.ofSeconds(1))).isEqualTo(Ownership.LOST);
		}
	}

	@Test
	void aStoreOfReceiptsForgetsAClaimWhoseLeaseHasEnded() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		this.guard.store().renew(request.claimId(1), Duration.ofNanos(1));
		assertThat(this.guard.store().claim(request("content"))).isEqualTo(new ClaimResult.Granted(1, false));
		assertThat(this.guard.store().renew(request.claimId(1), RETENTION)).isEqualTo(Ownership.LOST);
	}

	@Test
	void aStoreOfReceiptsForgetsAClaimThatNeverEnded() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		this.guard.store().renew(request.claimId(1), Duration.ofNanos(1));
		for (int other = 0; other < 200; other++) {
			this.guard.store().claim(request(newKey(), "content"));
		}
		assertThat(this.guard.store().renew(request.claimId(1), RETENTION)).isEqualTo(Ownership.LOST);
	}

	@Test
	void aStoreOfReceiptsLeavesTheReceiptOfAnotherAttempt() {
		ClaimRequest request = request("content");
		this.guard.store().claim(request);
		AttemptReceipt other = receipt(1);
		run(other, () -> inTransaction(() -> write(1)));
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> commit(request, Outcome.TOMBSTONE));
		this.guard.withdraw(other);
		assertThat(this.guard.store().complete(request.claimId(1), Outcome.TOMBSTONE, RETENTION))
			.isEqualTo(Ownership.HELD);
		assertThat(this.guard.find(this.key)).isEmpty();
	}

	@Test
	void aStoreOfReceiptsKnowsWhichClaimsItHas() {
		ClaimRequest request = request("content");
		ClaimRequest issued = new ClaimRequest(request.key(), request.owner(), request.fingerprint(), request.lease(),
				RETENTION, Admission.ISSUED, Lapsed.TAKE_OVER, Term.LEASED, false);
		assertThat(this.guard.store().claim(issued)).isEqualTo(new ClaimResult.NotIssued());
		this.guard.store().claim(request);
		assertThat(this.guard.store().claim(issued)).isEqualTo(new ClaimResult.Granted(1, false));
	}

	@Test
	void aStoreOfReceiptsChecksTheTable() {
		this.guard.store().check(this.key, Duration.ofSeconds(1));
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> guard("no_such_table").store().check(this.key, Duration.ofSeconds(1)));
	}

	private ClaimRequest request(String content) {
		return request(this.key, content);
	}

	private ClaimRequest request(OperationKey key, String content) {
		return new ClaimRequest(key, Owner.draw(this.random), new Fingerprint(Digest.sha256().add(content).build()),
				Duration.ofSeconds(30), RETENTION, Admission.OPEN, Lapsed.TAKE_OVER, Term.LEASED, false);
	}

	private void commit(ClaimRequest request, Outcome outcome) {
		AttemptReceipt receipt = receipt(new ClaimId(this.key, request.owner(), request.fingerprint(), 1, ORIGIN));
		run(receipt, () -> inTransaction(() -> {
			write(1);
			receipt.commitsWith(outcome);
		}));
	}

	private ClaimId claim(Owner owner) {
		return new ClaimId(this.key, owner, FINGERPRINT, 1, ORIGIN);
	}

	private AttemptReceipt receipt(int attempt) {
		return receipt(this.key, attempt);
	}

	private AttemptReceipt receipt(OperationKey of, int attempt) {
		return receipt(new ClaimId(of, Owner.draw(this.random), FINGERPRINT, attempt, ORIGIN));
	}

	private AttemptReceipt receipt(ClaimId claim) {
		return new AttemptReceipt(claim, this.guard, (event) -> {
		});
	}

	private void run(AttemptReceipt receipt, Runnable work) {
		receipt.<Void, RuntimeException>execute(() -> {
			receipt.join();
			work.run();
			return null;
		});
	}

	private TransactionTemplate nested() {
		return propagating(TransactionDefinition.PROPAGATION_NESTED);
	}

	private TransactionTemplate propagating(int propagation) {
		return new TransactionTemplate(this.transactions, new DefaultTransactionDefinition(propagation));
	}

	private void inTransaction(Runnable work) {
		this.transaction.executeWithoutResult((status) -> work.run());
	}

	private void write(long token) {
		this.database.sql().update("insert into effect (token) values (?)", token);
	}

	private List<Long> effects() {
		return this.database.sql().queryForList("select token from effect order by id", Long.class);
	}

	/** An attempt that fails before it gets here must not stop the others for ever. */
	private static void await(CyclicBarrier together) {
		Unchecked.run(() -> together.await(20, TimeUnit.SECONDS));
	}

	/**
	 * What code does that prepares a commit. Spring takes a {@code TransactionException}
	 * for one of the commit, and does not roll back.
	 */
	@SuppressWarnings("ImmutableEnumChecker")
	private enum BeforeCommit {

		THROWS_A_TRANSACTION_EXCEPTION((transactions) -> {
			throw new CannotCreateTransactionException("The pool is exhausted");
		}),

		THROWS_ANOTHER_EXCEPTION((transactions) -> {
			throw new IllegalArgumentException("planned");
		}),

		HAS_A_TRANSACTION_THAT_IS_ROLLED_BACK((transactions) -> new TransactionTemplate(transactions,
				new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW))
			.executeWithoutResult((status) -> transactions.rollback(transactions.getTransaction(null))));

		private final Consumer<PlatformTransactionManager> work;

		BeforeCommit(Consumer<PlatformTransactionManager> work) {
			this.work = work;
		}

	}

}
