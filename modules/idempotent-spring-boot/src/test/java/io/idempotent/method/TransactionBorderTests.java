package io.idempotent.method;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.method.BorderNode.Shop;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Calls whose transactions nest, are rolled back in parts, suspend each other, or run in
 * callbacks of one another: what is remembered is what was committed.
 */
@Timeout(60)
class TransactionBorderTests {

	private final DataSource database = TestDatabase.h2().dataSource();

	private final DataSource otherDatabase = TestDatabase.h2().dataSource();

	private final String key = UUID.randomUUID().toString();

	private final List<BorderNode> nodes = new ArrayList<>();

	private BorderNode node(boolean receipts, String... properties) {
		BorderNode node = receipts ? BorderNode.withReceipts(this.database, this.otherDatabase, properties)
				: BorderNode.withoutReceipts(this.database, this.otherDatabase, properties);
		this.nodes.add(node);
		return node;
	}

	@AfterEach
	void close() {
		this.nodes.forEach(BorderNode::close);
	}

	@Nested
	class InCallbacksOfAnotherTransaction {

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aCallInATransactionAfterARollbackIsDecidedByItsOwn(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> {
				BorderNode.afterCompletion(() -> node.newTransaction()
					.executeWithoutResult((own) -> node.shop().joining(key(), () -> node.write("after"))));
				node.shop().joining("around", () -> node.write("around"));
				status.setRollbackOnly();
			});
			assertThat(node.shop().joining(key(), () -> node.write("again"))).isEqualTo("after");
			assertThat(node.effects()).containsExactly("after");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aCallInATransactionThatIsRolledBackAfterACommitIsNotDone(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> {
				BorderNode.afterCompletion(() -> node.newTransaction().executeWithoutResult((own) -> {
					node.shop().joining(key(), () -> node.write("after"));
					own.setRollbackOnly();
				}));
				node.shop().joining("around", () -> node.write("around"));
			});
			assertThat(node.shop().joining(key(), () -> node.write("again"))).isEqualTo("again");
			assertThat(node.effects()).containsExactly("again", "around");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aCallWithoutATransactionIsDecidedAtItsReturn(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> {
				BorderNode.afterCompletion(() -> node.shop().plain(key(), () -> "told"));
				status.setRollbackOnly();
			});
			assertThat(node.shop().plain(key(), () -> "told again")).isEqualTo("told");
		}

		@Test
		void aTransactionBeforeTheCommitOfItsRunDoesNotWait() {
			BorderNode node = node(true);
			assertThat(node.shop().joining(key(), () -> {
				BorderNode.beforeCommit(() -> node.newTransaction().executeWithoutResult((own) -> node.write("audit")));
				return node.write("effect");
			})).isEqualTo("effect");
			assertThat(node(true).shop().joining(key(), () -> node.write("again"))).isEqualTo("effect");
			assertThat(node.effects()).containsExactly("audit", "effect");
		}

		@Test
		void aRetryAfterACommitInDoubtMayHaveCallbacksWithTransactions() {
			BorderNode node = node(true);
			assertThat(node.shop().plain(key(), () -> {
				node.loseNextCommit(false);
				assertThatExceptionOfType(TransactionSystemException.class)
					.isThrownBy(() -> node.transaction().executeWithoutResult((status) -> node.write("lost")));
				node.transaction().executeWithoutResult((status) -> {
					node.write("retried");
					BorderNode
						.afterCommit(() -> node.newTransaction().executeWithoutResult((own) -> node.write("audit")));
				});
				return "done";
			})).isEqualTo("done");
			assertThat(node.effects()).containsExactly("audit", "retried");
		}

		@Test
		void anOperationThatBeginsBeforeTheCommitLeavesAReceiptInIt() {
			BorderNode node = node(true);
			node.transaction()
				.executeWithoutResult((status) -> BorderNode
					.beforeCommit(() -> node.shop().joining(key(), () -> node.write("late"))));
			assertThat(node(true).shop().joining(key(), () -> node.write("again"))).isEqualTo("late");
			assertThat(node.effects()).containsExactly("late");
		}

	}

	@Nested
	class RolledBackInParts {

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aRolledBackNestedOperationIsNotCompleted(boolean receipts) {
			assertNotDone(receipts, Shop::nested);
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aRolledBackIndependentOperationIsNotCompleted(boolean receipts) {
			assertNotDone(receipts, Shop::apart);
		}

		private void assertNotDone(boolean receipts, Operation operation) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> {
				node.write("caller");
				assertThatIllegalStateException().isThrownBy(() -> operation.run(node.shop(), key(), () -> {
					node.write("undone");
					throw new IllegalStateException("planned");
				}));
			});
			assertThat(operation.run(node.shop(), key(), () -> node.write("again"))).isEqualTo("again");
			assertThat(node.effects()).containsExactly("again", "caller");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aNestedOperationIsCompletedWhenTheCallerCommits(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> node.shop().nested(key(), () -> node.write("once")));
			assertThat(node.shop().nested(key(), () -> node.write("again"))).isEqualTo("once");
			assertThat(node.effects()).containsExactly("once");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void anOperationThatRollsBackAndReturnsIsNotCompleted(boolean receipts) {
			for (Operation operation : List.<Operation>of(Shop::joining, Shop::nested, Shop::apart)) {
				BorderNode node = node(receipts);
				String own = UUID.randomUUID().toString();
				assertThat(operation.run(node.shop(), own, () -> {
					node.write("undone");
					TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
					return "undone";
				})).isEqualTo("undone");
				assertThat(operation.run(node.shop(), own, () -> node.write("again"))).isEqualTo("again");
			}
			assertThat(this.outer().effects()).containsExactly("again", "again", "again");
		}

		private BorderNode outer() {
			return TransactionBorderTests.this.nodes.get(0);
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aCommittedOperationThatThrowsIsCompletedWithoutAResult(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction()
				.executeWithoutResult(
						(status) -> assertThatIllegalStateException().isThrownBy(() -> node.shop().plain(key(), () -> {
							node.write("stands");
							throw new IllegalStateException("planned");
						})));
			assertRefused(() -> node.shop().plain(key(), () -> node.write("again")));
			assertThat(node.effects()).containsExactly("stands");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void anInnerRollbackDoesNotMatterWithoutAnOuterTransaction(boolean receipts) {
			BorderNode node = node(receipts);
			assertThat(node.shop().plain(key(), () -> {
				node.transaction().executeWithoutResult((status) -> {
					node.write("undone");
					status.setRollbackOnly();
				});
				return "first";
			})).isEqualTo("first");
			assertThat(node.shop().plain(key(), () -> "second")).isEqualTo("first");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void aFailedNestedOperationIsRepeatedUnderItsClaim(boolean receipts) {
			BorderNode node = node(receipts);
			node.transaction().executeWithoutResult((status) -> {
				assertThatIllegalStateException().isThrownBy(() -> node.shop().nested(key(), () -> {
					node.write("undone");
					throw new IllegalStateException("planned");
				}));
				assertThat(node.shop().nested(key(), () -> node.write("retried"))).isEqualTo("retried");
				assertThat(node.shop().nested(key(), () -> node.write("again"))).isEqualTo("retried");
			});
			assertThat(node.effects()).containsExactly("retried");
		}

	}

	@Nested
	class OfSeveralManagers {

		@Test
		void aTransactionOnAnotherDatabaseDoesNotCommitTheEffect() {
			BorderNode node = node(true);
			assertThatIllegalStateException().isThrownBy(() -> node.shop().plain(key(), () -> {
				node.transaction().executeWithoutResult((status) -> {
					node.write("undone");
					node.elsewhere().executeWithoutResult((inner) -> {
					});
					status.setRollbackOnly();
				});
				throw new IllegalStateException("planned");
			}));
			assertThat(node.shop().plain(key(), () -> node.write("again"))).isEqualTo("again");
		}

		@Test
		void anInnerCommitElsewhereRecordsNothingWithoutReceipts() {
			BorderNode node = node(false);
			node.transaction().executeWithoutResult((status) -> {
				node.elsewhere().executeWithoutResult((inner) -> node.shop().plain(key(), () -> node.write("undone")));
				status.setRollbackOnly();
			});
			assertThat(node.shop().plain(key(), () -> node.write("again"))).isEqualTo("again");
			assertThat(node.effects()).containsExactly("again");
		}

		@Test
		void withoutReceiptsMixedEndsLeaveTheOutcomeUnknown() {
			BorderNode node = node(false, "idempotent.defaults.when-unknown=reject");
			node.transaction().executeWithoutResult((status) -> {
				node.elsewhere().executeWithoutResult((inner) -> node.shop().plain(key(), () -> node.write("undone")));
				status.setRollbackOnly();
			});
			assertThatExceptionOfType(SubmissionRefusedException.class)
				.isThrownBy(() -> node.shop().plain(key(), () -> "again"))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.OUTCOME_UNKNOWN));
		}

		@Test
		void aCallThatThrowsInAReadOnlyTransactionHasFailed() {
			BorderNode node = node(true);
			TransactionTemplate reading = node.transaction();
			reading.setReadOnly(true);
			reading.executeWithoutResult((status) -> node.elsewhere()
				.executeWithoutResult(
						(own) -> assertThatIllegalStateException().isThrownBy(() -> node.shop().plain(key(), () -> {
							throw new IllegalStateException("planned");
						}))));
			assertThat(node.shop().plain(key(), () -> "again")).isEqualTo("again");
		}

		@Test
		void withReceiptsTheSurroundingGuardedTransactionDecides() {
			BorderNode node = node(true);
			node.transaction().executeWithoutResult((status) -> node.elsewhere().executeWithoutResult((inner) -> {
				inner.setRollbackOnly();
				node.shop().plain(key(), () -> node.write("stands"));
			}));
			assertThat(node.shop().plain(key(), () -> node.write("again"))).isEqualTo("stands");
			assertThat(node.effects()).containsExactly("stands");
		}

	}

	@Nested
	class Results {

		private BorderNode first;

		private BorderNode second;

		@BeforeEach
		void start() {
			this.first = node(true);
			this.second = node(true);
		}

		@Test
		void aResultIsStoredEvenAfterAnotherCommitOfTheRun() {
			this.first.shop().joining(key(), () -> {
				this.first.newTransaction().executeWithoutResult((audit) -> this.first.write("audit"));
				return this.first.write("effect");
			});
			assertThat(this.second.shop().joining(key(), () -> this.second.write("again"))).isEqualTo("effect");
			assertThat(this.first.effects()).containsExactly("audit", "effect");
		}

		@Test
		void eachInvocationKeepsItsOwnResult() {
			this.first.shop().apart("a" + key(), () -> {
				this.first.shop().apart("b" + key(), () -> {
					this.first.shop().apart("a" + key(), () -> this.first.write("A-inner"));
					return this.first.write("B");
				});
				return this.first.write("A");
			});
			assertThat(this.second.shop().apart("b" + key(), () -> this.second.write("again"))).isEqualTo("B");
			assertThat(this.second.shop().apart("a" + key(), () -> this.second.write("again"))).isEqualTo("A");
			assertThat(this.first.effects()).containsExactly("A", "A-inner", "B");
		}

		@Test
		void aRecursionKeepsTheResultOfTheOuterInvocation() {
			this.first.shop()
				.apart(key(), () -> this.first.shop().apart(key(), () -> this.first.write("inner")) + " in outer");
			assertThat(this.second.shop().apart(key(), () -> this.second.write("again"))).isEqualTo("inner in outer");
		}

		@Test
		void aRefusedCommitLeavesTheResultInTheReceipt() {
			assertThat(this.first.shop().joining(key(), () -> this.first.write("kept"))).isEqualTo("kept");
			assertRefused(() -> this.second.transaction()
				.executeWithoutResult(
						(status) -> this.second.shop().joining(key(), () -> this.second.write("refused"))));
			assertThat(this.second.shop().joining(key(), () -> this.second.write("again"))).isEqualTo("kept");
			assertThat(this.first.effects()).containsExactly("kept");
		}

		@Test
		void aRepeatSucceedsAfterTheRefusalOfAnInnerOperation() {
			this.first.shop().joining(key(), () -> this.first.write("inner"));
			Supplier<String> outer = () -> this.second.shop()
				.joining("outer" + key(), () -> this.second
					.write("outer of " + this.second.shop().joining(key(), () -> this.second.write("refused"))));
			assertRefused(() -> assertThat(outer.get()).isNull());
			assertThat(outer.get()).isEqualTo("outer of inner");
			assertThat(this.first.effects()).containsExactly("inner", "outer of inner");
		}

		@Test
		void aCommitWhoseReplyWasLostReturnsItsResult() {
			this.first.loseNextCommit(true);
			assertThatExceptionOfType(TransactionSystemException.class)
				.isThrownBy(() -> this.first.shop().joining(key(), () -> this.first.write("committed")));
			AtomicInteger runs = new AtomicInteger();
			assertThat(this.first.shop().joining(key(), () -> "run " + runs.incrementAndGet())).isEqualTo("committed");
			assertThat(runs).hasValue(0);
		}

		@Test
		void aFailedCommitAllowsAnotherAttempt() {
			this.first.loseNextCommit(false);
			assertThatExceptionOfType(TransactionSystemException.class)
				.isThrownBy(() -> this.first.shop().joining(key(), () -> this.first.write("lost")));
			assertThat(this.first.shop().joining(key(), () -> this.first.write("again"))).isEqualTo("again");
			assertThat(this.first.effects()).containsExactly("again");
		}

		@Test
		void aFailedRunReturnsWhatAnotherAttemptCommitted() {
			this.first.shop().joining(key(), () -> this.first.write("kept"));
			assertThat(this.second.shop().joining(key(), () -> {
				throw new IllegalStateException("a unique key of the application");
			})).isEqualTo("kept");
			assertThat(this.second.shop().joining(key(), () -> this.second.write("again"))).isEqualTo("kept");
		}

	}

	private String key() {
		return this.key;
	}

	private static void assertRefused(Runnable call) {
		assertThatThrownBy(call::run).isInstanceOfSatisfying(SubmissionRefusedException.class,
				(ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
	}

	@FunctionalInterface
	interface Operation {

		String run(Shop shop, String key, Supplier<String> body);

	}

}
