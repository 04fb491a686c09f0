package io.idempotent.lock.fence;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.testing.Callbacks;
import io.idempotent.testing.GuardedDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What holds for fences in every database.
 */
abstract class FenceGuardContract {

	private static final int THREADS = 8;

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private final String name = "fence-" + UUID.randomUUID();

	private final EngineDistributedLocks locks = new EngineDistributedLocks(List.of(new LocalLockEngine()),
			Duration.ofSeconds(60), List.of());

	private final DistributedLock lock = this.locks.get(this.name);

	private GuardedDatabase database;

	private FenceGuard guard;

	private DataSourceTransactionManager transactions;

	private TransactionTemplate transaction;

	protected abstract GuardedDatabase database();

	/**
	 * How many statements raise a fence for the first time.
	 */
	protected int statementsOfTheFirstRaise() {
		return 1;
	}

	@BeforeEach
	void prepare() {
		this.database = database();
		this.database.sql().update("delete from effect");
		this.guard = new FenceGuard(this.database, "idempotent_fence");
		this.transactions = new DataSourceTransactionManager(this.database);
		this.transactions.setTransactionExecutionListeners(List.of(new FenceRaiser(this.guard)));
		this.transaction = new TransactionTemplate(this.transactions);
		this.database.takeStatements();
	}

	@AfterEach
	void closeLocks() {
		while (this.lock.isHeldByCurrentThread()) {
			this.lock.unlock();
		}
		this.locks.close();
	}

	/** Tokens may be as great as after a switch of engines. */
	@ParameterizedTest
	@ValueSource(longs = { 6, 1L << 48 })
	void aHigherTokenRaisesAFenceAndALowerOneIsRefused(long token) {
		for (long higher : List.of(5L, token, token + 1)) {
			inTransaction(() -> this.guard.raise(this.name, higher));
		}
		for (long lower : List.of(token, 5L)) {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> inTransaction(() -> this.guard.raise(this.name, lower)))
				.withMessageContaining(String.valueOf(lower))
				.withMessageContaining(this.name)
				.satisfies((ex) -> assertThat(ex.name()).isEqualTo(this.name));
		}
		assertThat(stored()).isEqualTo(token + 1);
	}

	@Test
	void aTokenWithAnOlderSnapshotIsAConflictOrRaisesTheFence() {
		inTransaction(() -> this.guard.raise(this.name, 5));
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		try {
			inTransaction(() -> {
				assertThat(stored()).isEqualTo(5);
				CompletableFuture.runAsync(() -> inTransaction(() -> this.guard.raise(this.name, 6))).join();
				this.guard.raise(this.name, 7);
			});
			assertThat(stored()).isEqualTo(7);
		}
		catch (ConcurrencyFailureException ex) {
			assertThat(stored()).isEqualTo(6);
		}
	}

	@Test
	void theSameTokenPassesAgain() {
		inTransaction(() -> this.guard.raise(this.name, 5));
		inTransaction(() -> this.guard.raise(this.name, 5));
		assertThat(stored()).isEqualTo(5);
	}

	@Test
	void aFenceIsRaisedByOneStatement() {
		inTransaction(() -> this.guard.raise(this.name, 5));
		assertThat(this.database.takeStatements()).hasSize(statementsOfTheFirstRaise());
		inTransaction(() -> this.guard.raise(this.name, 6));
		assertThat(this.database.takeStatements()).hasSize(1);
	}

	@Test
	void aTransactionRaisesAFenceOnce() {
		inTransaction(() -> {
			this.guard.raise(this.name, 5);
			this.database.takeStatements();
			this.guard.raise(this.name, 5);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.guard.raise(this.name, 4));
			assertThat(this.database.takeStatements()).isEmpty();
		});
	}

	@Test
	void aRollbackLeavesTheFenceWhereItWas() {
		inTransaction(() -> this.guard.raise(this.name, 5));
		this.transaction.executeWithoutResult((status) -> {
			this.guard.raise(this.name, 9);
			status.setRollbackOnly();
		});
		inTransaction(() -> this.guard.raise(this.name, 6));
		assertThat(stored()).isEqualTo(6);
	}

	@Test
	void aFenceThatWasRolledBackToASavepointIsRaisedAgain() {
		this.transaction.executeWithoutResult((status) -> {
			Object savepoint = status.createSavepoint();
			this.guard.raise(this.name, 5);
			status.rollbackToSavepoint(savepoint);
			this.guard.raise(this.name, 5);
		});
		assertThat(stored()).isEqualTo(5);
	}

	@Test
	void aFenceFromBeforeASavepointSurvivesItsRollback() {
		this.transaction.executeWithoutResult((status) -> {
			this.guard.raise(this.name, 5);
			this.database.takeStatements();
			Object savepoint = status.createSavepoint();
			status.rollbackToSavepoint(savepoint);
			this.guard.raise(this.name, 5);
			assertThat(this.database.takeStatements()).isEmpty();
		});
		assertThat(stored()).isEqualTo(5);
	}

	@Test
	void aFenceIsNotRaisedWithoutATransaction() {
		assertThatIllegalStateException().isThrownBy(() -> this.guard.raise(this.name, 5))
			.withMessageContaining("without a transaction");
		this.transaction.setReadOnly(true);
		assertThatIllegalStateException().isThrownBy(() -> inTransaction(() -> this.guard.raise(this.name, 5)))
			.withMessageContaining("without a transaction that may write");
	}

	@Test
	void aFenceIsNotRaisedInATransactionOnAnotherDatabase() {
		try (GuardedDatabase other = GuardedDatabase.h2()) {
			TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
			assertThatIllegalStateException()
				.isThrownBy(() -> elsewhere.executeWithoutResult((status) -> this.guard.raise(this.name, 5)))
				.withMessageContaining("not on the guarded DataSource");
		}
	}

	@Test
	void aFencedTransactionRaisesTheFenceFirst() {
		this.lock.lock();
		fenced(() -> {
			this.transaction.executeWithoutResult((status) -> {
				assertThat(this.database.takeStatements()).hasSize(statementsOfTheFirstRaise());
				write(this.lock.fencingToken());
			});
		});
		assertThat(stored()).isEqualTo(this.lock.fencingToken());
		assertThat(effects()).hasSize(1);
	}

	@Test
	void anOpenTransactionRaisesTheFenceOnEntry() {
		this.lock.lock();
		inTransaction(
				() -> fenced(() -> assertThat(this.database.takeStatements()).hasSize(statementsOfTheFirstRaise())));
		assertThat(stored()).isEqualTo(this.lock.fencingToken());
	}

	@Test
	void aTransactionOutsideOfSectionsRaisesNothing() {
		this.lock.lock();
		inTransaction(() -> assertThat(this.database.takeStatements()).isEmpty());
		fenced(() -> inTransaction(() -> write(1)));
		this.database.takeStatements();
		inTransaction(() -> assertThat(this.database.takeStatements()).isEmpty());
	}

	@Test
	void aStaleHolderCommitsNothing() {
		this.lock.lock();
		inTransaction(() -> this.guard.raise(this.name, this.lock.fencingToken() + 1));
		AtomicInteger runs = new AtomicInteger();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> fenced(() -> inTransaction(() -> {
			write(this.lock.fencingToken());
			runs.incrementAndGet();
		})));
		assertThat(runs).as("it is run, but not committed").hasValue(1);
		assertThat(effects()).isEmpty();
		assertThat(stored()).isEqualTo(this.lock.fencingToken() + 1);
	}

	@Test
	void aStaleHolderInAnOpenTransactionIsNotRunAtAll() {
		this.lock.lock();
		inTransaction(() -> this.guard.raise(this.name, this.lock.fencingToken() + 1));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> inTransaction(() -> this.guard.execute(List.of(this.lock), () -> {
				throw new AssertionError("run");
			})));
	}

	@Test
	void everyTransactionOfASectionIsFenced() {
		this.lock.lock();
		long token = this.lock.fencingToken();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> fenced(() -> {
			inTransaction(() -> write(token));
			CompletableFuture.runAsync(() -> inTransaction(() -> this.guard.raise(this.name, token + 1))).join();
			inTransaction(() -> write(token));
		}));
		assertThat(effects()).containsExactly(token);
	}

	@Test
	void aFenceOfASuspendedTransactionIsNotAwaited() {
		TransactionTemplate independent = independent();
		this.lock.lock();
		fenced(() -> inTransaction(() -> {
			write(1);
			independent.executeWithoutResult((status) -> write(2));
			write(3);
		}));
		assertThat(effects()).containsExactlyInAnyOrder(1L, 2L, 3L);
	}

	@Test
	void aFormerHolderCommitsNothingIfAnotherCallbackFailsFirst() {
		this.lock.lock();
		inTransaction(() -> this.guard.raise(this.lock.qualifiedName(), this.lock.fencingToken() + 1));
		this.transactions.setTransactionExecutionListeners(List.of(new TransactionExecutionListener() {

			@Override
			public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
				TransactionSynchronizationManager.registerSynchronization(new FailedPreparation());
			}

		}, new FenceRaiser(this.guard)));
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> fenced(() -> inTransaction(() -> write(1))));
		assertThat(effects()).isEmpty();
	}

	@Test
	void noFenceIsRaisedAfterTheCompletion() {
		TransactionTemplate independent = independent();
		AtomicInteger refused = new AtomicInteger();
		Runnable lower = () -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> independent.executeWithoutResult((status) -> this.guard.raise(this.name, 5)));
			refused.incrementAndGet();
		};
		inTransaction(() -> {
			this.guard.raise(this.name, 5);
			Callbacks.afterCommit(() -> {
				CompletableFuture.runAsync(() -> inTransaction(() -> this.guard.raise(this.name, 7))).join();
				lower.run();
			});
			Callbacks.afterCompletion(lower);
		});
		assertThat(refused).hasValue(2);
		assertThat(stored()).isEqualTo(7);
	}

	@Test
	void sectionsInSectionsRaiseAllFences() {
		DistributedLock inner = this.locks.get(this.name + "-inner");
		this.lock.lock();
		inner.lock();
		this.guard.execute(List.of(this.lock), () -> this.guard.execute(List.of(inner), () -> {
			inTransaction(() -> write(1));
			return null;
		}));
		assertThat(stored(this.name)).isEqualTo(this.lock.fencingToken());
		assertThat(stored(inner.name())).isEqualTo(inner.fencingToken());
		inner.unlock();
	}

	@Test
	void aSectionWithoutAWritingTransactionFails() {
		this.lock.lock();
		assertThatIllegalStateException().isThrownBy(() -> this.guard.execute(List.of(this.lock), () -> null))
			.withMessageContaining(this.name)
			.withMessageContaining("not protected");
		this.transaction.setReadOnly(true);
		assertThatIllegalStateException()
			.isThrownBy(() -> fenced(() -> inTransaction(() -> assertThat(effects()).isEmpty())));
		assertThat(this.database.takeStatements()).as("raised").isEmpty();
	}

	@Test
	void theExceptionOfTheSectionTakesPrecedence() {
		this.lock.lock();
		inTransaction(() -> this.guard.raise(this.name, this.lock.fencingToken() + 1));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> fenced(() -> inTransaction(() -> {
				throw new UnsupportedOperationException();
			})))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
	}

	@Test
	void aThreadWithoutTheLockEntersNoSection() {
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.guard.execute(List.of(this.lock), () -> null));
	}

	@Test
	void aMissingTableIsReportedWithAnAction() {
		FenceGuard lost = new FenceGuard(this.database, "no_such_table");
		assertThatExceptionOfType(InvalidDataAccessResourceUsageException.class)
			.isThrownBy(() -> inTransaction(() -> lost.raise(this.name, 1)))
			.withMessageContaining("initialize-schema");
		assertThatIllegalArgumentException().isThrownBy(() -> new FenceGuard(this.database, "a; drop table b"));
	}

	@Test
	void manyNewFencesAreRaisedAtOnceWithoutADeadlock() {
		AtomicInteger next = new AtomicInteger();
		rush(() -> inTransaction(() -> {
			for (int i = 0; i < 3; i++) {
				this.guard.raise(this.name + next.incrementAndGet(), 1);
			}
		}));
	}

	@Test
	void oneNewFenceIsRaisedByManyAtOnce() {
		rush(() -> inTransaction(() -> this.guard.raise(this.name, 1)));
		assertThat(stored()).isOne();
	}

	@Test
	void noTransactionCommitsAfterOneWithAHigherToken() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		AtomicInteger refused = new AtomicInteger();
		rush(() -> {
			int token = nextToken(random);
			try {
				inTransaction(() -> {
					this.guard.raise(this.name, token);
					write(token);
				});
			}
			catch (LockLostException ex) {
				refused.incrementAndGet();
			}
		});
		assertThat(effects()).as("seed " + seed).isNotEmpty().isSorted();
		assertThat(refused).as("seed " + seed).hasPositiveValue();
	}

	private static int nextToken(Random random) {
		synchronized (random) {
			return 1 + random.nextInt(50);
		}
	}

	private void fenced(Runnable work) {
		this.guard.execute(List.of(this.lock), () -> {
			work.run();
			return null;
		});
	}

	private TransactionTemplate independent() {
		return new TransactionTemplate(this.transactions,
				new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
	}

	private void rush(Runnable work) {
		IntStream.range(0, 15 * THREADS)
			.mapToObj((round) -> CompletableFuture.runAsync(work, this.threads))
			.toList()
			.forEach(CompletableFuture::join);
	}

	private void inTransaction(Runnable work) {
		this.transaction.executeWithoutResult((status) -> work.run());
	}

	private void write(long token) {
		this.database.sql().update("insert into effect (token) values (?)", token);
	}

	private List<Long> effects() {
		List<Long> effects = this.database.sql().queryForList("select token from effect order by id", Long.class);
		this.database.takeStatements();
		return effects;
	}

	private long stored() {
		return stored(this.name);
	}

	private long stored(String fence) {
		Long token = this.database.sql()
			.queryForObject("select token from idempotent_fence where name = ?", Long.class, fence);
		this.database.takeStatements();
		return (token != null) ? token : -1;
	}

	/** Comes first. */
	private static final class FailedPreparation implements TransactionSynchronization, PriorityOrdered {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			throw new TransactionSystemException("planned");
		}

	}

}
