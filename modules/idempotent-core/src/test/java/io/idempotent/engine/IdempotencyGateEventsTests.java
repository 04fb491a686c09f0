package io.idempotent.engine;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.WhenStoreFails;
import io.idempotent.engine.FaultyStore.Call;
import io.idempotent.engine.FaultyStore.Fault;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.IdempotencyListeners;
import org.junit.jupiter.api.Test;

import static io.idempotent.engine.TestGate.complete;
import static io.idempotent.engine.TestGate.replayed;
import static io.idempotent.engine.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners hear, and what they can do to anybody.
 */
class IdempotencyGateEventsTests {

	private final Submission submission = submission("order 1");

	private IdempotencyEvent event(IdempotencyEvent.Type type, Refusal refusal) {
		return new IdempotencyEvent(type, TestPolicy.OPERATION, this.submission.key().toString(), refusal);
	}

	@Test
	void anEventNamesTheOperationAndAShortHashOfTheKey() {
		try (TestGate gate = TestGate.opened()) {
			complete(gate.run(this.submission));
			gate.enter(this.submission);
			assertThat(gate.events()).containsExactly(event(IdempotencyEvent.Type.GRANTED, null),
					event(IdempotencyEvent.Type.COMPLETED, null), event(IdempotencyEvent.Type.REPLAYED, null));
			assertThat(gate.events().get(0).key()).hasSize(12).doesNotContain("order");
		}
	}

	@Test
	void aRefusalIsPublishedWithItsReason() {
		try (TestGate gate = TestGate.opened()) {
			gate.run(this.submission);
			gate.enter(this.submission);
			gate.enter(submission("order 1", "else"));
			gate.store().next(Call.CLAIM, Fault.UNREADABLE);
			gate.enter(this.submission);
			gate.store().goDown();
			gate.enter(this.submission);
			assertThat(gate.events()).containsExactly(event(IdempotencyEvent.Type.GRANTED, null),
					event(IdempotencyEvent.Type.REFUSED, Refusal.IN_PROGRESS),
					event(IdempotencyEvent.Type.REFUSED, Refusal.KEY_REUSED),
					event(IdempotencyEvent.Type.REFUSED, Refusal.RECORD_UNREADABLE),
					event(IdempotencyEvent.Type.REFUSED, Refusal.STORE_UNAVAILABLE));
		}
	}

	@Test
	void aRefusalBeforeThereIsAKeyIsPublishedWithoutOne() {
		try (TestGate gate = TestGate.opened()) {
			gate.gate().listeners().refusedWithoutKey(TestPolicy.OPERATION, Refusal.KEY_MISSING);
			assertThat(gate.events()).containsExactly(
					new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, TestPolicy.OPERATION, "", Refusal.KEY_MISSING));
		}
	}

	@Test
	void everyTypeOfEventIsPublished() {
		try (TestGate gate = TestGate.opened()) {
			gate.run(this.submission).end(Ending.Plain.NO_EFFECT);
			Claim silent = gate.run(this.submission);
			gate.pass(TestPolicy.LEASE);
			Claim rerun = gate.run(this.submission);
			complete(silent);
			gate.enter(this.submission);
			gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
			complete(rerun);
			gate.gate().flush();
			gate.enter(this.submission);
			gate.run(submission("order 2")).end(Ending.Plain.UNKNOWN);
			gate.store().next(Call.COMPLETE, Fault.UNREADABLE);
			complete(gate.run(submission("order 3")));
			gate.store().goDown();
			gate.enter(TestPolicy.with(WhenStoreFails.PROCEED), submission("order 4"));
			Set<IdempotencyEvent.Type> told = gate.events()
				.stream()
				.map(IdempotencyEvent::type)
				.collect(Collectors.toSet());
			assertThat(told).isEqualTo(EnumSet.allOf(IdempotencyEvent.Type.class));
			assertThat(gate.events()).extracting(IdempotencyEvent::operation).containsOnly(TestPolicy.OPERATION);
		}
	}

	@Test
	void aListenerThatThrowsAffectsNothingElse() {
		IdempotencyListener failing = (event) -> {
			throw new IllegalStateException("The meter registry is closed");
		};
		IdempotencyListener broken = (event) -> {
			throw new NoSuchMethodError("io.micrometer.Counter.increment()");
		};
		try (TestGate gate = TestGate.that().tells(failing).tells(broken).opens()) {
			complete(gate.run(this.submission));
			assertThat(gate.enter(this.submission)).isEqualTo(replayed(1));
			assertThat(gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED,
					IdempotencyEvent.Type.REPLAYED);
		}
	}

	@Test
	void aListenerThatThrowsDoesNotPreventPendingWrites() {
		IdempotencyListener failing = (event) -> {
			throw new IllegalStateException("The meter registry is closed");
		};
		try (TestGate gate = TestGate.that().tells(failing).opens()) {
			Claim claim = gate.run(this.submission);
			gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
			complete(claim);
			gate.gate().flush();
			assertThat(gate.enter(this.submission)).isEqualTo(replayed(1));
			assertThat(gate.store().count(Call.COMPLETE)).isEqualTo(2);
		}
	}

	@Test
	void withoutListenersNoEventIsPublished() {
		new IdempotencyListeners(List.of()).publish(IdempotencyEvent.Type.GRANTED, TestPolicy.OPERATION, null);
	}

}
