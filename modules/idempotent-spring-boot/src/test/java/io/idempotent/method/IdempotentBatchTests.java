package io.idempotent.method;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.IdempotencyListener;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Attempt;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.function.ThrowingConsumer;
import io.idempotent.submission.event.GateListener;
import io.idempotent.testing.GuardedDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Items of a list take effect once, with receipts in a database.
 */
@Timeout(60)
class IdempotentBatchTests {

	private final GuardedDatabase database = GuardedDatabase.h2();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
				TransactionAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
				GuardAutoConfiguration.class))
		.withBean(DataSource.class, () -> this.database, (definition) -> definition.setDestroyMethodName(""))
		.withPropertyValues("idempotent.store.type=local", "idempotent.guard.enabled=true",
				"idempotent.operations.rejecting.when-unknown=reject");

	private final List<Long> ran = new ArrayList<>();

	@AfterEach
	void close() {
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void eachItemTakesEffectOnce(boolean together) {
		run((node) -> {
			IdempotentBatch<Long> batch = node.batch(together);
			batch.execute(List.of(1L, 2L, 1L), node::write);
			batch.execute(List.of(2L, 3L, 4L, 3L), node::write);
			batch.execute(List.of(), node::write);
			assertThat(this.ran).containsExactly(1L, 2L, 3L, 4L);
			assertThat(effects()).containsExactly(1L, 2L, 3L, 4L);
			assertThat(receipts()).isEqualTo(4);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aFailureEndsTheBatchAndRepeatsNoOtherItem(boolean together) {
		run((node) -> {
			IdempotentBatch<Long> batch = node.batch(together);
			BatchItemException failure = failure(() -> batch.execute(List.of(1L, 2L, 3L), node.failingAt(2)));
			assertThat(failure.index()).isEqualTo(1);
			assertThat(failure).hasCauseInstanceOf(UnsupportedOperationException.class);
			assertThat(effects()).containsExactly(1L);
			assertThat(receipts()).isEqualTo(1);
			this.ran.clear();
			batch.execute(List.of(1L, 2L, 3L), node::write);
			assertThat(this.ran).containsExactly(2L, 3L);
			assertThat(effects()).containsExactly(1L, 2L, 3L);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBatchMayContinueAfterFailures(boolean together) {
		run((node) -> {
			IdempotentBatch<Long> batch = node.batch(together).continueAfterFailures();
			BatchItemException failure = failure(() -> batch.execute(List.of(1L, 2L, 3L, 2L, 4L), node.failingAt(2)));
			assertThat(failure.failures()).containsOnlyKeys(1, 3);
			assertThat(effects()).containsExactly(1L, 3L, 4L);
			assertThat(receipts()).isEqualTo(3);
		});
	}

	@Test
	void theReceiptsOfATransactionAreOneStatement() {
		run((node) -> {
			IdempotentBatch<Long> batch = node.batch(true);
			batch.execute(List.of(1L), node::write);
			this.database.takeStatements();
			batch.execute(List.of(2L, 3L, 4L, 5L), node::write);
			assertThat(this.database.takeStatements()).filteredOn((sql) -> sql.contains("idempotent_receipt"))
				.hasSize(1);
			assertThat(receipts()).isEqualTo(5);
		});
	}

	@Test
	void afterAFailedCommitEachItemRunsAlone() {
		run((node) -> {
			BatchItemException failure = failure(
					() -> node.batch(true).continueAfterFailures().execute(List.of(1L, 2L, 3L), (item) -> {
						node.write(item);
						if (item == 2) {
							failBeforeCommit();
						}
					}));
			assertThat(failure.failures()).containsOnlyKeys(1);
			assertThat(effects()).containsExactly(1L, 3L);
			assertThat(receipts()).isEqualTo(2);
			node.batch(true).execute(List.of(1L, 2L, 3L), node::write);
			assertThat(effects()).containsExactly(1L, 3L, 2L);
		});
	}

	/** As MySQL does at a deadlock. */
	@Test
	void aRollbackByTheDatabaseUndoesNoOtherItem() {
		run((node) -> {
			BatchItemException failure = failure(
					() -> node.batch(true).continueAfterFailures().execute(List.of(1L, 2L, 3L), (item) -> {
						node.write(item);
						if (item == 2) {
							DataSourceUtils.getConnection(this.database).rollback();
							throw new UnsupportedOperationException();
						}
					}));
			assertThat(failure.failures()).containsOnlyKeys(1);
			assertThat(effects()).containsExactly(1L, 3L);
			assertThat(receipts()).isEqualTo(2);
		});
	}

	private static void failBeforeCommit() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				throw new UnsupportedOperationException();
			}

		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void receiptsReplaceRecordsThatWereLost(boolean together) {
		run((node) -> node.batch(together).execute(List.of(1L, 2L), node::write));
		run((node) -> {
			node.batch(together).execute(List.of(1L, 2L, 3L), node::write);
			assertThat(effects()).containsExactly(1L, 2L, 3L);
			assertThat(receipts()).isEqualTo(3);
		});
	}

	@Test
	void aTransactionAroundABatchIsRefused() {
		run((node) -> new TransactionTemplate(node.transactions())
			.executeWithoutResult((status) -> assertThatIllegalStateException()
				.isThrownBy(() -> node.batch(true).execute(List.of(1L), node::write))
				.withMessageContaining("'pay'")));
		assertThat(this.ran).isEmpty();
	}

	@Test
	void anItemWithoutAKeyFailsAtItsTurn() {
		run((node) -> {
			IdempotentBatch<@Nullable Long> batch = node.batches()
				.of("pay", (item) -> (item == null) ? null : item.toString());
			List<@Nullable Long> items = new ArrayList<>(List.of(1L, 2L));
			items.add(1, null);
			BatchItemException failure = failure(() -> batch.execute(items, (item) -> this.ran.add(item)));
			assertThat(failure.index()).isEqualTo(1);
			assertThat(failure.getCause()).isInstanceOfSatisfying(SubmissionRefusedException.class,
					(ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.KEY_MISSING));
			assertThat(this.ran).containsExactly(1L);
		});
	}

	/** As a function in Kotlin may, which declares no exceptions. */
	@Test
	void aKeyThatCannotBeReadFailsItsItemWhateverItThrows() {
		run((node) -> {
			IdempotentBatch<Long> batch = node.batches()
				.of("pay", (item) -> (item == 2) ? IdempotentBatchTests.sneak(new IOException("no key")) : item);
			BatchItemException failure = failure(() -> batch.execute(List.of(1L, 2L), (item) -> this.ran.add(item)));
			assertThat(failure.index()).isEqualTo(1);
			assertThat(failure).hasCauseInstanceOf(IOException.class);
			assertThat(this.ran).containsExactly(1L);
		});
	}

	@SuppressWarnings("unchecked")
	private static <T, X extends Throwable> T sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anItemWithoutAKeyIsReportedAtItsTurnOnly(boolean reached) {
		List<Refusal> refused = new ArrayList<>();
		IdempotencyListener listener = (event) -> {
			if (event.refusal() != null) {
				refused.add(event.refusal());
			}
		};
		this.runner.withBean(IdempotencyListener.class, () -> listener).run((context) -> {
			Node node = new Node(context);
			IdempotentBatch<Long> batch = node.batches().of("pay", (item) -> (item == 3) ? null : item);
			failure(() -> batch.inOneTransaction(node.transactions())
				.execute(List.of(1L, 2L, 3L), node.failingAt(reached ? 4 : 2)));
		});
		assertThat(refused).isEqualTo(reached ? List.of(Refusal.KEY_MISSING) : List.of());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anItemInProgressIsAwaitedWithoutHoldingOthers(boolean together) {
		run((node) -> {
			Attempt<@Nullable Void> other = node.claim("pay", 2);
			CompletableFuture<Void> batch = CompletableFuture
				.runAsync(() -> node.batch(together).execute(List.of(1L, 2L, 3L), node::write));
			await().until(() -> effects().equals(List.of(1L)));
			// Granted, since the batch does not hold it while it waits.
			node.claim("pay", 3).failed();
			assertThat(batch).isNotDone();
			other.failed();
			batch.join();
			assertThat(effects()).containsExactly(1L, 2L, 3L);
		});
	}

	@Test
	void itemsWhoseOutcomeMayBecomeUnknownAreNotClaimedEarly() throws Exception {
		CountDownLatch claimed = new CountDownLatch(1);
		run((node) -> {
			node.batches().<Long>of("rejecting", String::valueOf).execute(List.of(1L, 2L), (item) -> {
				if (item == 1) {
					CompletableFuture.runAsync(() -> node.claim("rejecting", 2).failed()).join();
					claimed.countDown();
				}
				node.write(item);
			});
			assertThat(effects()).containsExactly(1L, 2L);
		});
		claimed.await();
	}

	@Test
	void eachItemIsClaimedOnce() {
		AtomicInteger claims = new AtomicInteger();
		GateListener counting = new GateListener() {

			@Override
			public void onStoreCall(StoreCall call, StoreResult result, long nanos) {
				if (call == StoreCall.CLAIM) {
					claims.incrementAndGet();
				}
			}

		};
		this.runner.withBean(GateListener.class, () -> counting).run((context) -> {
			Node node = new Node(context);
			node.batch(true).execute(List.of(1L), node::write);
			IdempotentBatch<@Nullable Long> batch = node.batches()
				.of("pay", (item) -> (item == null) ? null : item.toString());
			List<@Nullable Long> items = new ArrayList<>(List.of(2L, 3L, 4L, 5L));
			items.add(2, null);
			items.add(1, null);
			failure(() -> batch.inOneTransaction(node.transactions()).continueAfterFailures().execute(items, (item) -> {
			}));
		});
		assertThat(claims).hasValue(5);
	}

	private List<Long> effects() {
		return this.database.sql().queryForList("select token from effect order by id", Long.class);
	}

	private int receipts() {
		return this.database.sql().queryForObject("select count(*) from idempotent_receipt", Integer.class);
	}

	private static BatchItemException failure(Runnable work) {
		return catchThrowableOfType(BatchItemException.class, work::run);
	}

	private void run(Consumer<Node> test) {
		this.runner.run((context) -> test.accept(new Node(context)));
	}

	private final class Node {

		private final AssertableApplicationContext context;

		Node(AssertableApplicationContext context) {
			this.context = context;
		}

		PlatformTransactionManager transactions() {
			return this.context.getBean(PlatformTransactionManager.class);
		}

		IdempotentBatches batches() {
			return this.context.getBean(IdempotentBatches.class);
		}

		IdempotentBatch<Long> batch(boolean together) {
			IdempotentBatch<Long> batch = batches().of("pay", String::valueOf);
			return together ? batch.inOneTransaction(transactions()) : batch;
		}

		Attempt<@Nullable Void> claim(String operation, long item) {
			return ((Entry.Proceed<@Nullable Void>) this.context.getBean(IdempotencyTemplate.class)
				.before(operation, item)).attempt();
		}

		void write(Long item) {
			IdempotentBatchTests.this.ran.add(item);
			new TransactionTemplate(transactions())
				.executeWithoutResult((status) -> IdempotentBatchTests.this.database.sql()
					.update("insert into effect (token) values (?)", item));
		}

		ThrowingConsumer<Long, RuntimeException> failingAt(long failing) {
			return (item) -> new TransactionTemplate(transactions()).executeWithoutResult((status) -> {
				write(item);
				if (item == failing) {
					throw new UnsupportedOperationException();
				}
			});
		}

	}

}
