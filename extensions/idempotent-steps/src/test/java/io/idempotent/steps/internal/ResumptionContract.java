package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.steps.StepAdministration.Resumption;
import io.idempotent.steps.WhenChanged;
import io.idempotent.steps.internal.ResumptionTable.Due;
import io.idempotent.store.OperationKey;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What every database must do for operations that nobody repeats. They are due a
 * millisecond after they began.
 */
@Timeout(60)
abstract class ResumptionContract {

	private final Provider provider = new Provider();

	private final String key = UUID.randomUUID().toString();

	private final AtomicBoolean mailFails = new AtomicBoolean(true);

	private final List<OperationAbandonedEvent> abandoned = new ArrayList<>();

	@AutoClose
	private final StepsNode node = new StepsNode(database().dataSource());

	@AutoClose
	private final StepsNode other = new StepsNode(database().dataSource());

	private final ResumptionTable table = new ResumptionTable(
			new StepTables(database().dataSource(), StepsNode.settings(WhenChanged.REFUSE)).statements(), "test");

	abstract StepsDatabase database();

	@BeforeEach
	void registerMethods() throws NoSuchMethodException {
		database().sql().update("delete from idempotent_operation");
		for (StepsNode each : List.of(this.node, this.other)) {
			each.steps()
				.resumable()
				.add("pay", Payments.class.getDeclaredMethod("pay", String.class), Payments.class,
						() -> new Payments(each));
		}
	}

	@Test
	void anotherNodeFinishesAnOperation() {
		begin();
		this.mailFails.set(false);
		OperationWithSteps ended = sweepUntilNothingIsDue();
		assertThat(ended.endedAt()).isNotNull();
		assertThat(ended.resumption()).isEqualTo(new Resumption(1, null));
		assertThat(this.provider.effects()).as("a charge and a mail").isEqualTo(2);
		assertThat(this.abandoned).isEmpty();
	}

	@Test
	void anOperationThatHasEndedIsNotCalledAgain() {
		this.mailFails.set(false);
		new Payments(this.node).pay(this.key);
		this.node.steps().flush();
		assertThat(sweepUntilNothingIsDue().resumption()).isEqualTo(new Resumption(0, null));
	}

	@Test
	void anOperationWhoseEndWasNotRecordedIsCalledAndEnds() {
		begin();
		this.mailFails.set(false);
		new Payments(this.other).pay(this.key);
		OperationWithSteps ended = sweepUntilNothingIsDue();
		assertThat(ended.endedAt()).isNotNull();
		assertThat(this.provider.calls()).as("a charge and a mail").hasSize(2);
	}

	@Test
	void anOperationThatFailsTooOftenIsAbandonedUntilAnOperatorResumesIt() {
		begin();
		OperationWithSteps failed = sweepUntilNothingIsDue();
		assertThat(failed.endedAt()).isNull();
		assertThat(failed.resumption().times()).isEqualTo(StepsNode.MAX_ATTEMPTS);
		assertThat(failed.error()).contains("The mail server is away");
		assertThat(this.abandoned).singleElement().satisfies((event) -> {
			assertThat(event.key()).isEqualTo(key());
			assertThat(event.resumptions()).isEqualTo(StepsNode.MAX_ATTEMPTS);
			assertThat(event.error()).contains("The mail server is away");
		});
		this.mailFails.set(false);
		assertThat(this.node.steps().administration().resume(key(), "alice", "the mail server is back")).isTrue();
		assertThat(sweepUntilNothingIsDue().endedAt()).isNotNull();
		assertThat(this.node.steps().administration().resume(key(), "alice", "again")).as("it has ended").isFalse();
	}

	@Test
	void aCallThatMeetsARunningAttemptDoesNotCount() {
		this.mailFails.set(false);
		this.node.run(this.key, (steps) -> {
			String result = pay(steps);
			due();
			CompletableFuture.runAsync(this.node.resumption(this.abandoned::add)::sweep).join();
			assertThat(find().resumption().times()).isZero();
			return result;
		});
		assertThat(this.provider.calls()).hasSize(2);
	}

	@Test
	void anOperationWithoutAnEffectIsNotCalledAgain() {
		assertThatIllegalStateException().isThrownBy(() -> this.node.run(this.key, (steps) -> {
			steps.transactional("check", () -> {
				throw new IllegalStateException("There is no such order");
			});
			return "";
		}));
		assertThat(find().resumption()).as("only its caller repeats it").isNull();
		assertThat(this.node.steps().administration().resume(key(), "alice", "now")).isFalse();
		assertThat(this.node.steps().administration().end(key(), "alice", "nothing to do")).isTrue();
		assertThat(find().endedAt()).isNotNull();
		this.mailFails.set(false);
		this.other.resumption(this.abandoned::add).sweep();
		assertThat(this.provider.calls()).isEmpty();
	}

	@Test
	void oneNodeTakesIt() {
		begin();
		Due due = due();
		assertThat(this.table.take(due, StepsNode.TIMEOUT)).isPresent();
		assertThat(this.table.take(due, StepsNode.TIMEOUT)).isEmpty();
		assertThat(this.table.abandon(due)).isFalse();
	}

	private void begin() {
		assertThatIllegalStateException().isThrownBy(() -> new Payments(this.node).pay(this.key));
	}

	private Due due() {
		return Awaitility.await()
			.until(() -> this.table.due(List.of("another", "pay")).stream().findFirst().orElse(null),
					(due) -> due != null);
	}

	private OperationWithSteps sweepUntilNothingIsDue() {
		return Awaitility.await().until(() -> {
			this.other.resumption(this.abandoned::add).sweep();
			return find();
		}, (found) -> found.resumption().nextAt() == null);
	}

	private OperationWithSteps find() {
		return this.node.steps().administration().find(key()).orElseThrow();
	}

	private OperationKey key() {
		return StepsNode.key(this.key);
	}

	private String pay(OperationSteps steps) {
		String charge = steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
		steps.external("mail", (mailed) -> {
			if (this.mailFails.get()) {
				throw new IllegalStateException("The mail server is away");
			}
			this.provider.call(mailed, "mail");
		});
		return charge;
	}

	/** A bean of a node. */
	final class Payments {

		private final StepsNode in;

		Payments(StepsNode in) {
			this.in = in;
		}

		String pay(String called) {
			return this.in.run(called, ResumptionContract.this::pay);
		}

	}

}
