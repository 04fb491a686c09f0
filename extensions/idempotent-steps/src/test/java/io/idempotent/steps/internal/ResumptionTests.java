package io.idempotent.steps.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.store.RecordState;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What may go wrong when operations are called again.
 */
@Timeout(30)
class ResumptionTests {

	private static final int LIMIT_OF_THE_ENDPOINT = 101;

	@AutoClose
	private final ResumableNode at = new ResumableNode();

	private final List<OperationAbandonedEvent> abandoned = new ArrayList<>();

	/** As with a lock that is held elsewhere, and whose method is skipped then. */
	@Test
	void aMethodThatReturnsWithoutHavingRunHasNotEndedTheOperation() {
		this.at.resume((key) -> null);
		this.at.begin("1");
		this.at.sweep();
		assertThat(this.at.provider.effects()).as("there is no mail").isOne();
		assertThat(this.at.find("1").endedAt()).isNull();
	}

	/**
	 * Its result is too long to be stored, and the process died before the end was noted.
	 */
	@Test
	void anOperationThatIsCompletedWithoutAnAnswerIsNotAbandoned() {
		ThrowingFunction<String, String, RuntimeException> pay = (key) -> this.at.node.run(key, (steps) -> {
			this.at.charge(steps);
			return "long".repeat(StepsNode.MAX_RESULT);
		});
		this.at.resume(pay);
		pay.apply("1");
		this.at.node.steps().flush();
		this.at.due("1", StepsNode.MAX_ATTEMPTS - 1);
		this.at.sweep(this.abandoned::add).sweep();
		assertThat(this.at.find("1").error()).isNull();
		assertThat(this.at.find("1").endedAt()).isNotNull();
	}

	/** All nodes were down for longer than the retention; then both threads begin. */
	@Test
	void anOperationThatIsCalledAgainIsNotPurgedMeanwhile() {
		this.at.resume(() -> {
			this.at.node.steps().purge();
			return new ResumableNode.Payments(this.at::finish);
		});
		this.at.begin("1");
		this.at.database.sql().update("update idempotent_operation set changed_at = 1");
		this.at.sweep();
		assertThat(this.at.provider.calls()).as("a charge and a mail, not two charges").hasSize(2);
	}

	@Test
	void aRefusalOfAnotherOperationCounts() {
		AtomicInteger calls = new AtomicInteger();
		this.at.resume((key) -> {
			calls.incrementAndGet();
			if (calls.get() > StepsNode.MAX_ATTEMPTS) {
				throw new AssertionError("It is called again for ever");
			}
			throw new SubmissionRefusedException(Refusal.IN_PROGRESS, "booking");
		});
		this.at.begin("1");
		for (int i = 0; i <= StepsNode.MAX_ATTEMPTS; i++) {
			this.at.database.sql().update("update idempotent_operation set resume_at = 1 where resume_at is not null");
			this.at.sweep(this.abandoned::add).sweep();
			if (calls.get() > StepsNode.MAX_ATTEMPTS) {
				break;
			}
		}
		assertThat(calls).hasValueLessThanOrEqualTo(StepsNode.MAX_ATTEMPTS);
		assertThat(this.abandoned).hasSize(1);
	}

	/**
	 * The last call takes longer than the delay after it; another node sweeps meanwhile.
	 */
	@Test
	void anOperationIsNotAbandonedWhileItsLastCallRuns() {
		this.at.resume((key) -> this.at.node.run(key, (steps) -> {
			String charge = this.at.charge(steps);
			this.at.database.sql().update("update idempotent_operation set resume_at = 1");
			this.at.sweep(this.abandoned::add).sweep();
			return charge;
		}));
		this.at.begin("1");
		this.at.due("1", StepsNode.MAX_ATTEMPTS - 1);
		this.at.sweep(this.abandoned::add).sweep();
		assertThat(this.at.find("1").endedAt()).isNotNull();
		assertThat(this.abandoned).isEmpty();
	}

	@Test
	void aListenerThatThrowsDoesNotDelayOtherOperations() {
		AtomicInteger calls = new AtomicInteger();
		this.at.resume((key) -> {
			calls.incrementAndGet();
			return this.at.finish(key);
		});
		this.at.begin("1");
		this.at.begin("2");
		this.at.due("1", StepsNode.MAX_ATTEMPTS);
		this.at.database.sql()
			.update("update idempotent_operation set resume_at = resume_at + resume_at where resumptions = 0");
		this.at.sweep((event) -> {
			throw new IllegalStateException("The pager is away");
		}).sweep();
		assertThat(calls).as("the other one is due too").hasValue(1);
	}

	/** As one of a newer version of the library, or whose time to live was changed. */
	@Test
	void aRecordThatCannotBeReadDoesNotDelayOtherOperations() {
		AtomicInteger calls = new AtomicInteger();
		this.at.resume((key) -> {
			if (key.equals("1")) {
				throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, "pay");
			}
			calls.incrementAndGet();
			return this.at.finish(key);
		});
		sweepTwo(new UnreadableRecordException("The record of this key cannot be read"), calls);
		assertThat(calls).hasValue(1);
		assertThat(this.at.find("2").endedAt()).isNotNull();
		assertThat(this.at.find("1").error()).contains("record-unreadable");
	}

	/** As of a Cluster of which one master is away. */
	@Test
	void aRecordThatCannotBeReachedDoesNotDelayOtherOperations() {
		AtomicInteger calls = new AtomicInteger();
		this.at.resume((key) -> {
			calls.incrementAndGet();
			return this.at.finish(key);
		});
		sweepTwo(new StoreUnavailableException("The master of this key is away", null), calls);
		assertThat(calls).hasValue(1);
		assertThat(this.at.find("2").endedAt()).isNotNull();
		assertThat(this.at.find("1").resumption().times()).as("nobody knows whether it runs").isZero();
	}

	/** Two operations are due, of which the first one has a record that fails. */
	private void sweepTwo(RuntimeException failure, AtomicInteger calls) {
		this.at.begin("1");
		this.at.begin("2");
		this.at.database.sql()
			.update("update idempotent_operation set resume_at = 2 where operation_key = ?",
					StepsNode.key("2").digest().bytes());
		this.at.node.steps().resumption(this.abandoned::add, (key) -> {
			if (key.equals(StepsNode.key("1"))) {
				throw failure;
			}
			return (calls.get() > 0) ? RecordState.COMPLETED : RecordState.UNKNOWN;
		}).sweep();
	}

	/** Of a node that is cut off from the store. */
	@Test
	void aRecordThatOneNodeCannotReachIsDueForOthersBeforeItsNextSweep() {
		StepSettings settings = StepsNode.settings(Duration.ofHours(1));
		this.at.resume(this.at::finish);
		this.at.begin("1");
		new ResumptionSweep(this.at.node.steps().resumable(),
				new ResumptionTable(new StepTables(this.at.database.dataSource(), settings).statements(), "test"),
				StepObserver.NONE, this.abandoned::add, (key) -> {
					throw new StoreUnavailableException("The store is away", null);
				}, settings)
			.sweep();
		assertThat(this.at.find("1").resumption().nextAt()).isBefore(Instant.now().plusSeconds(6));
	}

	@Test
	void aRepeatOfAnAbandonedOperationLetsItBeCalledAgain() {
		AtomicInteger calls = new AtomicInteger();
		this.at.resume((key) -> {
			calls.incrementAndGet();
			return this.at.finish(key);
		});
		this.at.begin("1");
		this.at.due("1", StepsNode.MAX_ATTEMPTS);
		this.at.sweep(this.abandoned::add).sweep();
		assertThat(this.abandoned).hasSize(1);
		this.at.database.sql().update("update idempotent_operation set resume_at = null");
		assertThatIllegalStateException().isThrownBy(() -> this.at.node.run("1", (steps) -> {
			this.at.charge(steps);
			throw new IllegalStateException("The mail server is away");
		}));
		this.at.database.sql().update("update idempotent_operation set resume_at = 1 where resume_at is not null");
		this.at.sweep(this.abandoned::add).sweep();
		assertThat(calls).hasValue(1);
		assertThat(this.abandoned).hasSize(1);
	}

	@Test
	void anOperatorWhoResumesDuringACallThatMeetsARunningAttempt() {
		this.at.resume((key) -> {
			this.at.node.steps().administration().resume(StepsNode.key(key), "alice", "now");
			this.at.database.sql().update("update idempotent_operation set resume_at = resume_at + 1000000000");
			throw new SubmissionRefusedException(Refusal.IN_PROGRESS, "pay");
		});
		this.at.begin("1");
		this.at.sweep();
		assertThat(this.at.find("1").resumption().times()).isZero();
	}

	@Test
	void nothingIsCalledOnceTheApplicationStops() throws InterruptedException {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch stopping = new CountDownLatch(1);
		this.at.resume((key) -> {
			calls.incrementAndGet();
			called.countDown();
			Awaitility.await().until(() -> stopping.getCount() == 0);
			return this.at.finish(key);
		});
		this.at.begin("1");
		this.at.begin("2");
		ResumptionSweep sweep = this.at.sweep((event) -> {
		});
		sweep.start();
		called.await();
		Thread stop = new Thread(sweep::stop);
		stop.start();
		Awaitility.await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
		stopping.countDown();
		stop.join();
		assertThat(calls).as("the backlog waits for another node").hasValue(1);
	}

	/** Each operation is unfinished until its end is noted, about a second later. */
	@Test
	void anAbandonedOperationIsListedWhileOthersRun() {
		this.at.resume(this.at::finish);
		this.at.begin("abandoned");
		this.at.database.sql().update("update idempotent_operation set resume_at = null, changed_at = 1");
		for (int i = 0; i < LIMIT_OF_THE_ENDPOINT; i++) {
			this.at.finish("running " + i);
		}
		this.at.node.steps().flush();
		this.at.database.sql().update("update idempotent_operation set ended_at = null");
		assertThat(this.at.node.steps().administration().unfinished(LIMIT_OF_THE_ENDPOINT))
			.extracting(OperationWithSteps::key)
			.contains(StepsNode.key("abandoned"));
	}

	/** A deployment exchanges two parameters between the first call and the second. */
	@Test
	void argumentsAreNotExchanged() throws Exception {
		ResumableMethods methods = this.at.node.steps().resumable();
		methods.add("transfer", Before.class.getDeclaredMethod("transfer", String.class, String.class), Before.class,
				Before::new);
		byte[] stored = methods.encode(StepsNode.key("1"), "transfer", new Object[] { "alice", "bob" });
		methods.add("transfer", After.class.getDeclaredMethod("transfer", String.class, String.class), After.class,
				After::new);
		assertThatIllegalArgumentException().isThrownBy(() -> methods.call(StepsNode.key("1"), "transfer", stored))
			.withMessageContaining("where there is 'to' now, there was 'from'");
	}

	/** A deployment adds a property between the first call and its repeat. */
	@Test
	void argumentsOfAnEarlierVersionAreTheSame() throws Exception {
		ResumableMethods methods = this.at.node.steps().resumable();
		methods.add("pay", Before.class.getDeclaredMethod("pay", Item.class), Before.class, Before::new);
		assertThatIllegalStateException().isThrownBy(() -> this.at.node.run("1", new Item("book"), (steps) -> {
			this.at.charge(steps);
			throw new IllegalStateException("The process is stopped");
		}));
		methods.add("pay", After.class.getDeclaredMethod("pay", ColouredItem.class), After.class, After::new);
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> this.at.node.run("1", new ColouredItem("pen", null), this.at::charge))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.KEY_REUSED));
		assertThat(this.at.node.run("1", new ColouredItem("book", null), this.at::charge)).isEqualTo("charge 1");
	}

	record Item(String name) {
	}

	record ColouredItem(String name, @Nullable String colour) {
	}

	static class Before {

		void pay(Item item) {
		}

		void transfer(String from, String to) {
		}

	}

	static class After {

		void pay(ColouredItem item) {
		}

		void transfer(String to, String from) {
		}

	}

}
