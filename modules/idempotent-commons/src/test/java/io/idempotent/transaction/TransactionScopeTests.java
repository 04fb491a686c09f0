package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.testing.Callbacks;
import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What became of what was done at a position in Spring's transactions.
 */
class TransactionScopeTests {

	private final DataSource database = TestDatabase.h2().dataSource();

	private final DataSource otherDatabase = TestDatabase.h2().dataSource();

	private final LosingTransactionManager manager = new LosingTransactionManager(this.database);

	private final DataSourceTransactionManager other = observed(new DataSourceTransactionManager(this.otherDatabase));

	private final DataSourceTransactionManager unseen = new DataSourceTransactionManager(this.database);

	private final List<TransactionOutcome> told = new ArrayList<>();

	TransactionScopeTests() {
		observed(this.manager);
	}

	private static <M extends DataSourceTransactionManager> M observed(M manager) {
		manager.setTransactionExecutionListeners(List.of(new TransactionObserver(), new TransactionObserver()));
		return manager;
	}

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(TransactionScope.open()).isEmpty();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void aTransactionCompletedOnAnotherThreadLeavesTheFirstOne() throws Exception {
		for (int round = 0; round < 3; round++) {
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			ObservedTransaction observed = TransactionScope.open().get(0);
			assertThat(observed.outer()).isNull();
			List<TransactionSynchronization> left = TransactionSynchronizationManager.getSynchronizations();
			TransactionSynchronizationManager.clear();
			Thread other = new Thread(() -> TransactionSynchronizationUtils.invokeAfterCompletion(left,
					TransactionSynchronization.STATUS_COMMITTED));
			other.start();
			other.join();
			assertThat(observed.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
		}
	}

	@Test
	void outsideOfTransactionsThereIsNoScope() {
		TransactionScope scope = TransactionScope.current();
		assertThat(scope).isEqualTo(TransactionScope.NONE);
		assertThat(scope.outcome()).isNull();
		scope.whenCompleted(() -> this.told.add(TransactionOutcome.COMMITTED));
		assertThat(this.told).hasSize(1);
	}

	@Test
	void aTransactionIsOpenUntilItIsCommitted() {
		TransactionScope scope = in(this.manager, () -> {
			TransactionScope current = marked();
			assertThat(current.outcome()).isEqualTo(TransactionOutcome.OPEN);
			return current;
		});
		assertThat(scope.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
		assertThat(this.told).containsExactly(TransactionOutcome.COMMITTED);
	}

	@Test
	void aRollbackIsNoticedWhetherRequestedOrThrown() {
		AtomicReference<TransactionScope> thrown = new AtomicReference<>();
		assertThatIllegalStateException().isThrownBy(() -> in(this.manager, () -> {
			thrown.set(marked());
			throw new IllegalStateException("planned");
		}));
		TransactionScope asked = new TransactionTemplate(this.manager).execute((status) -> {
			status.setRollbackOnly();
			return marked();
		});
		assertThat(thrown.get().outcome()).isEqualTo(TransactionOutcome.ROLLED_BACK);
		assertThat(asked.outcome()).isEqualTo(TransactionOutcome.ROLLED_BACK);
		assertThat(this.told).containsExactly(TransactionOutcome.ROLLED_BACK, TransactionOutcome.ROLLED_BACK);
	}

	@Test
	void aCommitThatFailedIsInDoubt() {
		this.manager.loseNextCommit(true);
		assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> in(this.manager, this::marked));
		assertThat(this.told).containsExactly(TransactionOutcome.IN_DOUBT);
	}

	@Test
	void aTransactionThatDoesNotBeginLeavesNothing() {
		DataSourceTransactionManager broken = observed(
				new DataSourceTransactionManager(TestDatabase.h2().at("jdbc:nothing").dataSource()));
		assertThatExceptionOfType(CannotCreateTransactionException.class)
			.isThrownBy(() -> in(broken, TransactionScope::current));
	}

	@Test
	void aReadOnlyTransactionIsNotWritable() {
		TransactionTemplate reading = new TransactionTemplate(this.manager);
		reading.setReadOnly(true);
		reading.executeWithoutResult((status) -> assertThat(marked().isWritable()).isFalse());
		in(this.manager, () -> assertThat(marked().isWritable()).isTrue());
	}

	@Test
	void aRollbackToASavepointUndoesWhatCameAfterIt() {
		List<TransactionScope> scopes = new ArrayList<>();
		in(this.manager, () -> {
			scopes.add(marked());
			nested(() -> scopes.add(marked()), true);
			scopes.add(marked());
			return null;
		});
		assertThat(scopes).extracting(TransactionScope::outcome)
			.containsExactly(TransactionOutcome.COMMITTED, TransactionOutcome.ROLLED_BACK,
					TransactionOutcome.COMMITTED);
	}

	@Test
	void aSavepointThatIsReleasedUndoesNothing() {
		List<TransactionScope> scopes = new ArrayList<>();
		in(this.manager, () -> {
			nested(() -> scopes.add(marked()), false);
			return null;
		});
		assertThat(scopes.get(0).outcome()).isEqualTo(TransactionOutcome.COMMITTED);
	}

	@Test
	void anOuterSavepointUndoesAReleasedInnerOne() {
		List<TransactionScope> scopes = new ArrayList<>();
		in(this.manager, () -> {
			nested(() -> {
				nested(() -> scopes.add(marked()), true);
				nested(() -> scopes.add(marked()), false);
				scopes.add(marked());
			}, true);
			scopes.add(marked());
			return null;
		});
		assertThat(scopes).extracting(TransactionScope::outcome)
			.containsExactly(TransactionOutcome.ROLLED_BACK, TransactionOutcome.ROLLED_BACK,
					TransactionOutcome.ROLLED_BACK, TransactionOutcome.COMMITTED);
	}

	@Test
	void anUndoneChangeIsKnownBeforeTheCompletion() {
		in(this.manager, () -> {
			List<TransactionScope> scopes = new ArrayList<>();
			nested(() -> scopes.add(marked()), true);
			assertThat(scopes.get(0).isUndone()).isTrue();
			assertThat(scopes.get(0).outcome()).isEqualTo(TransactionOutcome.OPEN);
			return null;
		});
	}

	@Test
	void anEarlierSavepointUndoesEverything() {
		List<TransactionScope> scopes = new ArrayList<>();
		new TransactionTemplate(this.unseen).executeWithoutResult((status) -> {
			Object savepoint = status.createSavepoint();
			scopes.add(marked());
			status.rollbackToSavepoint(savepoint);
			scopes.add(marked());
		});
		assertThat(scopes).extracting(TransactionScope::outcome)
			.containsExactly(TransactionOutcome.ROLLED_BACK, TransactionOutcome.COMMITTED);
	}

	@Test
	void aSavepointBelongsToATransactionThatSupportsSavepoints() {
		List<TransactionScope> scopes = new ArrayList<>();
		MessagingManager messages = new MessagingManager();
		messages.setTransactionExecutionListeners(List.of(new TransactionObserver()));
		new TransactionTemplate(this.manager).executeWithoutResult((status) -> in(messages, () -> {
			Object savepoint = status.createSavepoint();
			scopes.add(TransactionScope.current());
			status.rollbackToSavepoint(savepoint);
			return null;
		}));
		assertThat(scopes.get(0).points()).extracting(TransactionScope.Point::outcome)
			.containsExactly(TransactionOutcome.COMMITTED, TransactionOutcome.ROLLED_BACK);
	}

	@Test
	void aNestedPartIsRolledBackInACallbackOfAnotherTransaction() {
		List<TransactionScope> scopes = new ArrayList<>();
		in(this.manager, () -> in(this.other, () -> {
			Callbacks.afterCompletion(() -> {
				nested(() -> scopes.add(TransactionScope.current()), true);
				scopes.add(TransactionScope.current());
			});
			return null;
		}));
		assertThat(scopes).extracting(TransactionScope::outcome)
			.containsExactly(TransactionOutcome.ROLLED_BACK, TransactionOutcome.COMMITTED);
	}

	private void nested(Runnable work, boolean rollback) {
		template(this.manager, TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((status) -> {
			work.run();
			if (rollback) {
				status.setRollbackOnly();
			}
		});
	}

	@Test
	void aSuspendedTransactionIsNotPartOfTheScope() {
		assertApart(this.manager);
		assertApart(this.unseen);
	}

	private void assertApart(PlatformTransactionManager manager) {
		this.told.clear();
		in(manager, () -> {
			TransactionScope outer = TransactionScope.current();
			TransactionScope inner = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
				.execute((status) -> {
					assertThat(outer.points().get(0).transaction().isSuspended()).isTrue();
					return marked();
				});
			assertThat(inner.points()).hasSize(1);
			assertThat(inner.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
			assertThat(outer.outcome()).isEqualTo(TransactionOutcome.OPEN);
			assertThat(TransactionScope.open()).containsExactly(outer.points().get(0).transaction());
			return null;
		});
		assertThat(this.told).containsExactly(TransactionOutcome.COMMITTED);
	}

	@Test
	void withoutATransactionInsideOfASuspendedOneThereIsNoScope() {
		in(this.manager, () -> template(this.manager, TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
			.execute((status) -> assertThat(TransactionScope.current()).isEqualTo(TransactionScope.NONE)));
	}

	@Test
	void aTransactionAroundOneOfAnotherManagerIsStillOpen() {
		DataSource first = this.database;
		DataSource second = this.otherDatabase;
		TransactionScope both = in(this.manager, () -> {
			TransactionScope inner = in(this.other, () -> {
				ObservedTransaction outer = TransactionScope.openOn(first);
				assertThat(outer).isNotNull();
				assertThat(outer.isOn(second)).isFalse();
				assertThat(outer.isSuspended()).isFalse();
				assertThat(TransactionScope.openOn(second)).isNotNull().isNotSameAs(outer);
				return marked();
			});
			assertThat(inner.points()).hasSize(2);
			assertThat(inner.outcome()).isEqualTo(TransactionOutcome.OPEN);
			assertThat(this.told).isEmpty();
			return inner;
		});
		assertThat(both.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
		assertThat(this.told).containsExactly(TransactionOutcome.COMMITTED);
	}

	@Test
	void transactionsThatEndDifferentlyLeaveTheScopeInDoubt() {
		new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
			in(this.other, this::marked);
			status.setRollbackOnly();
		});
		assertThat(this.told).containsExactly(TransactionOutcome.IN_DOUBT);
	}

	@Test
	void anUnobservedTransactionOwnsTheRemainingResources() {
		DataSourceTransactionManager unseenOther = new DataSourceTransactionManager(this.otherDatabase);
		in(this.manager, () -> in(unseenOther, () -> {
			assertThat(TransactionScope.open()).hasSize(2);
			ObservedTransaction inner = TransactionScope.open().get(0);
			assertThat(inner.isObservedFromBegin()).isFalse();
			assertThat(inner.isOn(this.otherDatabase)).isTrue();
			assertThat(inner.isOn(this.database)).isFalse();
			return null;
		}));
	}

	@Test
	void actionsBeforeTheCommitRunAfterAllCallbacks() {
		assertThat(committing(this.manager)).containsExactly("callback", "due");
		assertThat(committing(this.unseen)).containsExactlyInAnyOrder("callback", "due");
	}

	private List<String> committing(PlatformTransactionManager manager) {
		List<String> sequence = new ArrayList<>();
		return in(manager, () -> {
			TransactionScope.open().get(0).beforeCommit(() -> sequence.add("due"));
			Callbacks.beforeCommit(() -> sequence.add("callback"));
			return sequence;
		});
	}

	@Test
	void anActionBeforeTheCommitRunsAtOnceIfTheCommitHasBegun() {
		List<String> sequence = new ArrayList<>();
		in(this.manager, () -> {
			ObservedTransaction transaction = TransactionScope.open().get(0);
			transaction.beforeCommit(() -> {
				transaction.beforeCommit(() -> sequence.add("late"));
				sequence.add("due");
			});
			return null;
		});
		assertThat(sequence).containsExactly("late", "due");
	}

	@Test
	void aFailingActionBeforeTheCommitRollsBack() {
		for (RuntimeException failure : List.of(new IllegalArgumentException("no"),
				new TransactionSystemException("taken for a commit that failed"))) {
			this.told.clear();
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> in(this.manager, () -> {
				TransactionScope.open().get(0).beforeCommit(() -> {
					throw failure;
				});
				return marked();
			}));
			assertThat(this.told).containsExactly(TransactionOutcome.ROLLED_BACK);
		}
	}

	@Test
	void actionsBeforeTheCommitDoNotRunForARollback() {
		new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
			TransactionScope.open().get(0).beforeCommit(() -> {
				throw new AssertionError("It is rolled back");
			});
			status.setRollbackOnly();
		});
	}

	@Test
	void aCallbackFindsItsTransactionCompleted() {
		for (PlatformTransactionManager each : List.of(this.manager, this.unseen)) {
			in(each, () -> {
				TransactionScope scope = marked();
				firstAfterCompletion(() -> {
					assertThat(scope.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
					assertThat(TransactionScope.isAfterCompletion()).isTrue();
					assertThat(TransactionScope.current()).isEqualTo(TransactionScope.NONE);
				});
				return null;
			});
		}
		assertThat(TransactionScope.isAfterCompletion()).isFalse();
	}

	@Test
	void aCallbackAfterTheCommitFindsItsTransactionCommitted() {
		in(this.manager, () -> {
			TransactionScope scope = marked();
			Callbacks.afterCommit(() -> {
				assertThat(scope.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
				assertThat(TransactionScope.current()).isEqualTo(TransactionScope.NONE);
				assertThat(TransactionScope.isAfterCompletion()).isTrue();
			});
			return null;
		});
	}

	@Test
	void aTransactionOfACallbackStandsAlone() {
		for (PlatformTransactionManager each : List.of(this.manager, this.unseen)) {
			this.told.clear();
			new TransactionTemplate(each).executeWithoutResult((outer) -> {
				marked();
				firstAfterCompletion(() -> {
					TransactionTemplate own = template(each, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
					own.executeWithoutResult((inner) -> assertThat(marked().points()).hasSize(1));
					own.executeWithoutResult((inner) -> {
						marked();
						inner.setRollbackOnly();
					});
				});
				outer.setRollbackOnly();
			});
			assertThat(this.told).containsExactly(TransactionOutcome.ROLLED_BACK, TransactionOutcome.COMMITTED,
					TransactionOutcome.ROLLED_BACK);
		}
	}

	@Test
	void joiningACompletedTransactionHasNoScope() {
		in(this.manager, () -> {
			firstAfterCompletion(() -> {
				template(this.manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
					.executeWithoutResult((inner) -> assertThat(TransactionScope.open()).hasSize(1));
				new TransactionTemplate(this.manager).executeWithoutResult((joined) -> {
					assertThat(TransactionScope.open()).isEmpty();
					assertThat(TransactionScope.isAfterCompletion()).isTrue();
				});
			});
			return null;
		});
	}

	@Test
	void aTransactionOfACallbackBeforeTheCommitStandsAlone() {
		in(this.manager, () -> {
			TransactionScope outer = TransactionScope.current();
			Callbacks.beforeCommit(() -> {
				TransactionScope inner = template(this.manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
					.execute((status) -> marked());
				assertThat(inner.outcome()).isEqualTo(TransactionOutcome.COMMITTED);
				assertThat(outer.outcome()).isEqualTo(TransactionOutcome.OPEN);
			});
			return null;
		});
	}

	@Test
	void aCallbackBeforeTheCommitThatThrowsLeavesNothing() {
		assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> in(this.manager, () -> {
			Callbacks.beforeCommit(() -> {
				throw new TransactionSystemException("planned");
			});
			return marked();
		}));
		assertThat(this.told).containsExactly(TransactionOutcome.ROLLED_BACK);
	}

	private static void firstAfterCompletion(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public int getOrder() {
				return Ordered.HIGHEST_PRECEDENCE;
			}

			@Override
			public void afterCompletion(int status) {
				work.run();
			}

		});
	}

	/** The current scope, whose outcome is noted when it has completed. */
	private TransactionScope marked() {
		TransactionScope scope = TransactionScope.current();
		scope.whenCompleted(() -> this.told.add(scope.outcome()));
		return scope;
	}

	private static <T> T in(PlatformTransactionManager manager, Supplier<T> work) {
		return new TransactionTemplate(manager).execute((status) -> work.get());
	}

	private static TransactionTemplate template(PlatformTransactionManager manager, int propagation) {
		TransactionTemplate template = new TransactionTemplate(manager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	/** Its transactions have no savepoints, like those of message brokers. */
	private static final class MessagingManager extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
