package io.idempotent.steps.internal;

import java.io.IOException;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.steps.WhenChanged;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.Unchecked;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What every database must do for operations with steps.
 */
@Timeout(60)
abstract class OperationStepsContract {

	private final Provider provider = new Provider();

	private final String key = UUID.randomUUID().toString();

	private final ObservedDataSource observed = new ObservedDataSource(database().dataSource());

	private final LosingTransactionManager manager = new LosingTransactionManager(this.observed);

	@AutoClose
	private final StepsNode node = new StepsNode(this.observed, this.manager);

	@AutoClose
	private final StepsNode other = new StepsNode(database().dataSource());

	abstract StepsDatabase database();

	@Nested
	class Resumption extends ResumptionContract {

		@Override
		StepsDatabase database() {
			return OperationStepsContract.this.database();
		}

	}

	@BeforeEach
	void forgetStatements() {
		this.observed.executed().clear();
	}

	private String pay(OperationSteps steps) {
		String charge = steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
		String order = steps.transactional("book", String.class, () -> book(this.observed, charge));
		steps.external("mail", (mailed) -> this.provider.call(mailed, "mail"));
		return order;
	}

	private String book(DataSource dataSource, String charge) {
		new JdbcTemplate(dataSource).update("insert into orders (item) values (?)", this.key);
		return "order for " + charge;
	}

	private int orders() {
		return database().orders(this.key);
	}

	@Test
	void eachStepRunsOnce() {
		assertThat(this.node.run(this.key, this::pay)).isEqualTo("order for charge 1");
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("order for charge 1");
		assertThat(orders()).isOne();
		assertThat(this.provider.calls()).hasSize(2).doesNotHaveDuplicates();
	}

	@Test
	void aVersionThatDoesNotCompareContinuesWhatOneHasBegunThatDoes() {
		assertThatExceptionOfType(Killed.class).isThrownBy(() -> this.node.run(this.key, (steps) -> {
			steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
			throw new Killed();
		}));
		new JdbcTemplate(database().dataSource()).update(
				"update idempotent_operation set fingerprint = ? where operation_key = ?",
				Digest.sha256().add("compared").build().bytes(), StepsNode.key(this.key).digest().bytes());
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("order for charge 1");
		assertThat(this.provider.calls()).hasSize(2).doesNotHaveDuplicates();
	}

	@Test
	void anOperationAndItsStepsCostFewStatements() {
		this.node.run(this.key, this::pay);
		assertThat(this.observed.executed()
			.stream()
			.filter((sql) -> sql.contains("idempotent_") && !sql.startsWith("update idempotent_operation")))
			.as("before its end is noted")
			.hasSize(1 + 2 + 1 + 2);
	}

	@Test
	void aRepeatContinuesAfterTheLastStepThatIsDone() {
		assertThatExceptionOfType(Killed.class).isThrownBy(() -> this.node.run(this.key, (steps) -> {
			String charge = steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
			steps.transactional("book", String.class, () -> book(this.observed, charge));
			throw new Killed();
		}));
		assertThat(this.provider.calls()).hasSize(1);
		assertThat(orders()).isOne();
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("order for charge 1");
		assertThat(orders()).isOne();
		assertThat(this.provider.calls()).hasSize(2);
	}

	@Test
	void anInterruptedCallIsRepeatedWithItsKey() {
		interrupt("charge");
		this.other.run(this.key, this::pay);
		assertThat(this.provider.calls()).hasSize(3);
		assertThat(this.provider.calls().get(0)).hasSize(43).isEqualTo(this.provider.calls().get(1));
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void withoutAVerifierAnInterruptedCallIsRefused() {
		interrupt("charge");
		for (int i = 0; i < 2; i++) {
			refused(Refusal.OUTCOME_UNKNOWN, () -> this.other.run(this.key,
					(steps) -> steps.external("charge", String.class, (charged) -> "repeated", StepVerifier.none())));
		}
	}

	@Test
	void anExceptionRollsAStepBack() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.transactional("book", String.class, () -> {
				book(this.observed, "nothing");
				throw new IOException("full");
			})));
		assertThat(orders()).isZero();
		assertThat(this.other.run(this.key,
				(steps) -> steps.transactional("book", String.class, () -> book(database().dataSource(), "it"))))
			.isEqualTo("order for it");
	}

	@Test
	void aFailureIsKeptForOperators() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.external("charge", String.class, (charged) -> {
				throw new IOException("no route ".repeat(100));
			})));
		Map<String, Object> row = database().sql()
			.queryForMap("select state, error from idempotent_step where error is not null and name = 'charge' "
					+ "order by started_at desc");
		assertThat(row).containsEntry("state", "STARTED");
		assertThat((String) row.get("error")).startsWith("java.io.IOException: no route").hasSize(250);
	}

	@Test
	void aNameIsUsedOnce() {
		assertThatIllegalStateException().isThrownBy(() -> this.node.run(this.key, (steps) -> {
			steps.transactional("book", () -> {
			});
			steps.external("book", (charged) -> {
			});
			return "unreachable";
		})).withMessageContaining("two steps named 'book'");
	}

	@Test
	void aStepThatFailedMayBeCalledAgain() {
		String result = this.node.run(this.key, (steps) -> {
			assertThatExceptionOfType(Killed.class)
				.isThrownBy(() -> steps.external("charge", String.class, (charged) -> {
					this.provider.call(charged, "charge");
					throw new Killed();
				}));
			assertThatExceptionOfType(Killed.class).isThrownBy(() -> steps.transactional("book", String.class, () -> {
				book(this.observed, "nothing");
				throw new Killed();
			}));
			return pay(steps);
		});
		assertThat(result).isEqualTo("order for charge 1");
		assertThat(orders()).isOne();
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void anotherStepMayFollowOneThatFailed() {
		ThrowingFunction<OperationSteps, String, RuntimeException> falling = (steps) -> {
			try {
				return steps.transactional("reserve", String.class, () -> {
					throw new IllegalStateException("sold out");
				});
			}
			catch (IllegalStateException ex) {
				return steps.transactional("order", String.class, () -> book(database().dataSource(), "later"));
			}
		};
		assertThatExceptionOfType(Killed.class).isThrownBy(() -> this.node.run(this.key, (steps) -> {
			falling.apply(steps);
			throw new Killed();
		}));
		assertThat(this.other.run(this.key, falling)).isEqualTo("order for later");
		assertThat(orders()).isOne();
		assertThat(this.other.steps().administration().find(key()).orElseThrow().steps()).first()
			.satisfies((step) -> assertThat(step.error()).contains("sold out"));
	}

	@Test
	void aConfirmedResultThatCannotBeReadIsConfirmedAgain() {
		interrupt("charge");
		StepAdministration administration = this.other.steps().administration();
		for (String wrong : new String[] { "{}", null }) {
			assertThat(administration.confirm(key(), "charge", wrong, "alice", "by mistake")).isTrue();
			assertThat(find("charge").interrupted()).isFalse();
			refused(Refusal.RECORD_UNREADABLE, () -> this.other.run(this.key, this::charge));
			assertThat(find("charge").interrupted()).isTrue();
			assertThat(find("charge").error()).contains("java.lang.String");
		}
		assertThat(administration.confirm(key(), "charge", "\"ch_1\"", "alice", "is on the account")).isTrue();
		assertThat(this.other.run(this.key, this::charge)).isEqualTo("ch_1");
		assertThat(administration.confirm(key(), "charge", "\"ch_2\"", "alice", "too late")).isFalse();
		assertThat(administration.repeat(key(), "charge", "alice", "too late")).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> administration.repeat(key(), "charge", "alice", " "));
		assertThat(this.node.run(this.key, this::charge)).isEqualTo("ch_1");
		assertThat(this.provider.calls()).hasSize(1);
	}

	@Test
	void aResultThatCannotBeReadIsRefused() {
		interruptAfter("charge");
		refused(Refusal.RECORD_UNREADABLE, () -> this.other.run(this.key,
				(steps) -> String.valueOf(steps.external("charge", Integer.class, (charged) -> 1))));
	}

	@Test
	void namesAreToldApartByCaseAndSpaces() {
		this.node.run(this.key, (steps) -> {
			for (String name : List.of("book", "Book", "book ", "bóok")) {
				steps.transactional(name, () -> database().order(this.key));
			}
			return "";
		});
		assertThat(orders()).isEqualTo(4);
		for (String name : List.of(" ", "", "x".repeat(OperationSteps.MAX_NAME + 1), "a\0b", "a\nb", "mail \uD800")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.node.run(this.key + " " + name.length() + "!", (steps) -> {
					steps.transactional(name, () -> {
					});
					return "";
				}));
		}
	}

	@Test
	void stepsRunOutsideOfTransactions() {
		TransactionTemplate transaction = new TransactionTemplate(this.manager);
		assertThatIllegalStateException()
			.isThrownBy(() -> transaction.execute((status) -> this.node.run(this.key,
					(steps) -> steps.transactional("book", String.class, () -> "order"))))
			.withMessageContaining("within a transaction");
	}

	@Test
	void stepsRunOutsideOfOtherSteps() {
		assertThatIllegalStateException().isThrownBy(() -> this.node.run(this.key, (steps) -> {
			steps.external("charge", (charged) -> steps.transactional("book", () -> database().order(this.key)));
			return "unreachable";
		})).withMessageContaining("within another step");
		assertThat(orders()).isZero();
	}

	@Test
	void aTransactionOfAnotherDatabaseIsRefused() {
		DataSource other = new DriverManagerDataSource("jdbc:h2:mem:");
		DataSource withoutAutoCommit = ObservedDataSource.intercept(database().dataSource(), (call) -> {
			Object result = call.proceed();
			if (result instanceof Connection connection) {
				connection.setAutoCommit(false);
			}
			return result;
		});
		try (StepsNode foreign = new StepsNode(withoutAutoCommit, new DataSourceTransactionManager(other))) {
			assertThatIllegalStateException().isThrownBy(
					() -> foreign.run(this.key, (steps) -> steps.transactional("book", String.class, () -> "order")))
				.withMessageContaining("not on the guarded DataSource");
		}
	}

	@Test
	void aResultThatCannotBeStoredRollsAStepBack() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.transactional("book", String.class, () -> {
				book(this.observed, "much");
				return "x".repeat(StepsNode.MAX_RESULT);
			})))
			.withMessageContaining("idempotent.call.max-result");
		assertThat(orders()).isZero();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.run(this.key,
					(steps) -> String.valueOf(steps.transactional("book", Object.class, () -> "order"))))
			.withMessageContaining("java.lang.Object");
	}

	@Test
	void aConfirmationDuringACallIsKept() {
		StepAdministration administration = this.other.steps().administration();
		assertThatException()
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.external("charge", String.class, (charged) -> {
				assertThat(administration.confirm(key(), "charge", "\"ch_1\"", "alice", "is on the account")).isTrue();
				return "x".repeat(StepsNode.MAX_RESULT);
			})))
			.withMessageContaining("idempotent.call.max-result");
		assertThat(this.other.run(this.key, this::charge)).isEqualTo("ch_1");
	}

	@Test
	void aCallWhoseResultCannotBeStoredIsNotRepeated() {
		for (StepsNode each : List.of(this.node, this.other)) {
			assertThatException().isThrownBy(() -> each.run(this.key, (steps) -> {
				assertThatException().isThrownBy(() -> chargeMuch(steps, StepVerifier.none()));
				return steps.external("charge", String.class, (charged) -> this.provider.call(charged, "again"));
			}));
			assertThat(find("charge").interrupted()).isTrue();
			assertThat(find("charge").error()).contains("took effect", "idempotent.call.max-result");
		}
		assertThat(this.provider.calls()).hasSize(1);
		assertThat(this.other.run(this.key,
				(steps) -> chargeMuch(steps, (charged) -> new Verdict.Happened<>("the identifier"))))
			.isEqualTo("the identifier");
		assertThat(this.provider.calls()).hasSize(1);
	}

	private String chargeMuch(OperationSteps steps, StepVerifier<String> verifier) {
		return steps.external("charge", String.class, (charged) -> {
			this.provider.call(charged, "charge");
			return "x".repeat(StepsNode.MAX_RESULT);
		}, verifier);
	}

	@Test
	void aStepMayReturnNull() {
		for (StepsNode each : List.of(this.node, this.other)) {
			assertThat(
					each.run(this.key, (steps) -> String.valueOf(steps.<String, RuntimeException>transactional("book",
							String.class, () -> (each == this.node) ? null : "other"))))
				.isEqualTo("null");
		}
	}

	@Test
	void anAttemptThatWasTakenOverRecordsNothing() {
		refused(Refusal.IN_PROGRESS, () -> this.node.run(this.key, (steps) -> {
			steps.external("charge", String.class, (charged) -> {
				this.other.run(this.key, this::pay);
				return "late";
			});
			return "unreachable";
		}));
		assertThat(this.node.run(this.key, this::pay)).isEqualTo("order for charge 1");
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void anAttemptThatWasTakenOverBeginsNoStep() {
		refused(Refusal.IN_PROGRESS, () -> this.node.run(this.key, (steps) -> {
			steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
			this.other.run(this.key, this::pay);
			steps.external("another", (charged) -> this.provider.call(charged, "another"));
			return "unreachable";
		}));
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void anAttemptThatWasTakenOverCommitsNoStep() {
		refused(Refusal.IN_PROGRESS, () -> this.node.run(this.key, (steps) -> {
			steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
			this.other.run(this.key, this::pay);
			return steps.transactional("book", String.class, () -> book(this.observed, "it again"));
		}));
		assertThat(orders()).isOne();
	}

	@Test
	void anAttemptThatWasTakenOverRepeatsNoCall() {
		interrupt("charge");
		refused(Refusal.IN_PROGRESS, () -> this.node.run(this.key, (steps) -> steps.external("charge", String.class,
				(charged) -> this.provider.callWithoutKey(charged, "again"), (charged) -> {
					this.other.run(this.key, this::pay);
					return new Verdict.DidNotHappen<>();
				})));
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anAttemptWhoseLeaseHasEndedCallsNothing(boolean repeat) {
		if (repeat) {
			interrupt("charge");
		}
		int calls = this.provider.calls().size();
		try (StepsNode slow = StepsNode.standingStillBeforeCalls(database().dataSource())) {
			refused(Refusal.STORE_UNAVAILABLE, () -> slow.run(this.key, this::pay));
		}
		assertThat(this.provider.calls()).hasSize(calls);
		assertThat(this.other.run(this.key, this::pay)).startsWith("order for charge");
	}

	@Test
	void aCallThatWasRefusedBeforeItBeganIsNotInterrupted() {
		try (StepsNode slow = StepsNode.standingStillBeforeCalls(database().dataSource())) {
			refused(Refusal.STORE_UNAVAILABLE, () -> slow.run(this.key, (steps) -> steps.external("charge",
					String.class, (charged) -> this.provider.call(charged, "slow"), StepVerifier.none())));
		}
		assertThat(
				this.other
					.run(this.key,
							(steps) -> steps.external("charge", String.class,
									(charged) -> this.provider.call(charged, "other"), StepVerifier.none())))
			.isNotEmpty();
		assertThat(this.provider.calls()).hasSize(1);
	}

	@Test
	void twoAttemptsAtOnceBookOnce() throws Exception {
		CountDownLatch inStep = new CountDownLatch(1);
		CountDownLatch takenOver = new CountDownLatch(1);
		CompletableFuture<String> first = CompletableFuture
			.supplyAsync(() -> this.node.run(this.key, (steps) -> steps.transactional("book", String.class, () -> {
				inStep.countDown();
				Unchecked.run(takenOver::await);
				return book(this.observed, "the first");
			})));
		inStep.await();
		String second = this.other.run(this.key, (steps) -> steps.transactional("book", String.class, () -> {
			takenOver.countDown();
			return book(database().dataSource(), "the second");
		}));
		assertThat(second).isEqualTo("order for the second");
		assertThat(first).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withMessageContaining("in-progress");
		assertThat(orders()).isOne();
	}

	@Test
	void aNewStepBeforeOneThatIsDoneIsRefused() {
		interruptAfter("charge");
		ThrowingFunction<OperationSteps, String, RuntimeException> changed = (steps) -> {
			steps.external("charge-card", String.class, (charged) -> this.provider.call(charged, "second charge"));
			return "continued";
		};
		refused(Refusal.OUTCOME_UNKNOWN, () -> this.other.run(this.key, changed));
		assertThat(this.other.steps().administration().find(key()).orElseThrow().error())
			.contains("step 'charge-card' is new");
		refused(Refusal.OUTCOME_UNKNOWN, () -> this.other.run(this.key, (steps) -> {
			refused(Refusal.OUTCOME_UNKNOWN, () -> changed.apply(steps));
			return changed.apply(steps);
		}));
		assertThat(this.provider.effects()).isOne();
		try (StepsNode continuing = new StepsNode(database().dataSource(), WhenChanged.CONTINUE)) {
			assertThat(continuing.run(this.key, changed)).isEqualTo("continued");
		}
	}

	/** A version that renames the step does not know that the call may have arrived. */
	@Test
	void aNewStepBeforeOneThatWasInterruptedIsRefused() {
		interrupt("charge");
		ThrowingFunction<OperationSteps, String, RuntimeException> renamed = (steps) -> steps.external("charge-card",
				String.class, (charged) -> this.provider.call(charged, "second charge"));
		refused(Refusal.OUTCOME_UNKNOWN, () -> this.other.run(this.key, renamed));
		assertThat(this.provider.effects()).isOne();
		assertThat(this.other.steps().administration().repeat(key(), "charge", "alice", "it never arrived")).isTrue();
		this.other.run(this.key, renamed);
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void anotherStepMayFollowACallThatFailedInThisAttempt() {
		interrupt("charge");
		String paid = this.other.run(this.key, (steps) -> {
			assertThatExceptionOfType(Killed.class).isThrownBy(() -> steps.external("charge", (charged) -> {
				throw new Killed();
			}));
			return steps.external("invoice", String.class, (charged) -> this.provider.call(charged, "invoice"));
		});
		assertThat(paid).isEqualTo("invoice 2");
	}

	@Test
	void stepsAreFoundInAnyOrder() {
		interruptAfter("charge", "book");
		String found = this.other.run(this.key, (steps) -> steps.transactional("book", String.class, () -> "new")
				+ steps.external("charge", String.class, (charged) -> "new"));
		assertThat(found).isEqualTo("bookcharge");
	}

	@Test
	void aStepDoesNotChangeItsKind() {
		interrupt("charge");
		refused(Refusal.OUTCOME_UNKNOWN,
				() -> this.other.run(this.key, (steps) -> steps.transactional("charge", String.class, () -> "local")));
	}

	@Test
	void anOperationWithStepsLeavesNoReceipt() {
		this.node.run(this.key, this::pay);
		assertThat(database().sql().queryForObject("select count(*) from idempotent_receipt", Integer.class)).isZero();
	}

	@Test
	void anOperationAroundOneWithStepsMayBeRepeatedToo() {
		String around = this.key + " around";
		assertThatExceptionOfType(Killed.class)
			.isThrownBy(() -> this.node.run(around, (unused) -> this.node.run(this.key, (steps) -> {
				steps.transactional("book", String.class, () -> book(this.observed, "the first"));
				throw new Killed();
			})));
		assertThat(this.node.run(around,
				(unused) -> this.node.run(this.key,
						(steps) -> steps.transactional("book", String.class, () -> book(this.observed, "the second")))))
			.isEqualTo("order for the first");
	}

	@Test
	void aCommitBeforeTheFirstStepIsRefusedEvenIfItsReplyIsLost() {
		for (boolean lost : new boolean[] { true, false }) {
			assertThatIllegalStateException().isThrownBy(() -> this.node.run(this.key + lost, (steps) -> {
				if (lost) {
					this.manager.loseNextCommit(true);
				}
				try {
					new TransactionTemplate(this.manager).execute((status) -> book(this.observed, "outside"));
				}
				catch (TransactionSystemException ex) {
					assertThat(lost).isTrue();
				}
				return pay(steps);
			})).withMessageContaining("before its first step");
		}
		assertThat(this.provider.calls()).isEmpty();
		database().sql().update("delete from idempotent_receipt");
	}

	@Test
	void threadsMayRunStepsAtOnce() {
		Executor threads = (task) -> new Thread(task).start();
		this.node.run(this.key, (steps) -> {
			Stream.of("a", "b", "c", "d")
				.map((name) -> CompletableFuture
					.runAsync(() -> steps.transactional(name, () -> book(this.observed, name)), threads))
				.toList()
				.forEach(CompletableFuture::join);
			return "";
		});
		assertThat(orders()).isEqualTo(4);
	}

	@Test
	void anOperatorSeesTheSteps() {
		interrupt("charge");
		StepAdministration administration = this.other.steps().administration();
		assertThat(administration.unfinished(100)).filteredOn((operation) -> operation.key().equals(key()))
			.singleElement()
			.satisfies((interrupted) -> {
				assertThat(interrupted.operation()).isEqualTo("pay");
				assertThat(interrupted.endedAt()).isNull();
				assertThat(interrupted.steps()).singleElement().satisfies((step) -> {
					assertThat(step.name()).isEqualTo("charge");
					assertThat(step.error()).contains("Killed");
				});
			});
		this.other.run(this.key, this::pay);
		this.other.steps().flush();
		StepAdministration.OperationWithSteps found = administration.find(key()).orElseThrow();
		assertThat(found.endedAt()).isAfterOrEqualTo(found.lastAttemptAt());
		assertThat(found.resumption()).isNull();
		assertThat(found.attempts()).isEqualTo(2);
		assertThat(found.steps()).extracting(StepAdministration.Step::name).containsExactly("charge", "book", "mail");
		assertThat(found.steps()).allSatisfy((step) -> {
			assertThat(step.doneAt()).isAfterOrEqualTo(step.startedAt())
				.isBeforeOrEqualTo(found.lastAttemptAt().plusSeconds(60));
			assertThat(step.error()).isNull();
		});
		assertThat(administration.unfinished(100)).noneMatch((operation) -> operation.key().equals(key()));
	}

	@Test
	void aRepeatedStepAsksNoVerifier() {
		interrupt("charge");
		assertThat(this.other.steps().administration().repeat(key(), "charge", "alice", "never arrived")).isTrue();
		assertThat(this.other.run(this.key, this::charge)).isEqualTo("charge 1");
		assertThat(this.provider.calls()).hasSize(2);
	}

	private String charge(OperationSteps steps) {
		return steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"),
				StepVerifier.none());
	}

	private OperationKey key() {
		return StepsNode.key(this.key);
	}

	private StepAdministration.Step find(String step) {
		return this.other.steps()
			.administration()
			.find(key())
			.orElseThrow()
			.steps()
			.stream()
			.filter((one) -> one.name().equals(step))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void oldOperationsAreDeletedWithTheirSteps() {
		this.node.run(this.key, this::pay);
		database().sql().update("update idempotent_operation set changed_at = 1");
		assertThat(this.node.steps().purge()).isPositive();
		assertThat(database().sql().queryForObject("select count(*) from idempotent_step", Integer.class)).isZero();
		this.other.run(this.key, this::pay);
		assertThat(this.node.steps().purge()).isZero();
	}

	/** An attempt whose call took effect, and whose process ended before it knew. */
	private void interrupt(String step) {
		assertThatExceptionOfType(Killed.class)
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.external(step, String.class, (charged) -> {
				this.provider.call(charged, step);
				throw new Killed();
			})));
	}

	private void interruptAfter(String... done) {
		assertThatExceptionOfType(Killed.class).isThrownBy(() -> this.node.run(this.key, (steps) -> {
			for (String step : done) {
				steps.external(step, String.class, (charged) -> {
					this.provider.call(charged, step);
					return step;
				});
			}
			throw new Killed();
		}));
	}

	private static void refused(Refusal refusal, ThrowingCallable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.extracting(SubmissionRefusedException::refusal)
			.isEqualTo(refusal);
	}

	private static final class Killed extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
