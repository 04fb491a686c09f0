package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.engine.SharedEntry.Value;
import io.idempotent.lock.switching.EpochRules.SwitchCommand;
import io.idempotent.testing.ObservedDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nodes write in their rounds, by a clock that the test sets.
 */
class EpochMemberTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final SwitchSettings settings = new SwitchSettings(LEASE, Duration.ofSeconds(20), Duration.ofSeconds(60),
			WhenAuthorityAway.STOP_GRANTING);

	private final MemorySharedEntry store = new MemorySharedEntry(true);

	private final Random random = new Random(1);

	private long now = 1;

	private EpochMember member(SharedEntry store, EngineHealth health, String... engines) {
		return new EpochMember(store, this.settings, List.of(engines), health, "node", () -> this.now, this.random,
				(nanos) -> {
				}, () -> {
				});
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private static boolean grants(EpochMember member) {
		EpochTerm term = member.term();
		return term != null && term.isOpen();
	}

	@Test
	void aLostConfirmationDoesNotAllowANodeToGrantAgain() {
		EpochMember one = member(this.store, EngineHealth.UNKNOWN, "first", "second");
		EpochMember two = member(this.store, EngineHealth.UNKNOWN, "first", "second");
		for (int i = 0; i < 5; i++) {
			one.round(null);
			two.round(null);
			pass(Duration.ofSeconds(9));
		}
		assertThat(grants(one) && grants(two)).isTrue();
		two.round(new SwitchCommand.Start("second"));
		Value unconfirmed = this.store.read();
		one.round(null);
		two.round(null);
		assertThat(grants(two)).isTrue();
		assertThat(two.document()).isNotNull().extracting(EpochDocument::engine).isEqualTo("second");
		this.store.rollBack(unconfirmed);
		one.round(new SwitchCommand.CallOff());
		assertThat(grants(one) && grants(two)).as("one grants on 'first', two on 'second'").isFalse();
	}

	@Test
	void aLeavingNodeRetriesAfterAConcurrentWrite() {
		EpochMember one = member(this.store, EngineHealth.UNKNOWN, "first", "second");
		one.round(null);
		AtomicBoolean late = new AtomicBoolean();
		SharedEntry busy = ObservedDataSource.<SharedEntry>intercept(this.store,
				(call) -> (call.getMethod().getName().equals("write") && late.getAndSet(false)) ? false
						: call.proceed());
		EpochMember leaving = member(busy, EngineHealth.UNKNOWN, "first", "second");
		leaving.round(null);
		one.round(null);
		assertThat(one.document().members()).hasSize(2);
		late.set(true);
		leaving.leave();
		one.round(null);
		assertThat(one.document().members()).hasSize(1);
	}

	@Test
	void differentEngineOrdersDoNotCauseEndlessSwitching() {
		EngineHealth healthy = new EngineHealth() {

			@Override
			public Set<String> recovered() {
				return Set.of("first", "second");
			}

		};
		EpochMember one = member(this.store, healthy, "first", "second");
		EpochMember two = member(this.store, healthy, "second", "first");
		long epoch = epochAfter(Duration.ofMinutes(1), one, two);
		assertThat(epochAfter(Duration.ofMinutes(30), one, two)).isLessThanOrEqualTo(epoch + 1);
	}

	private long epochAfter(Duration time, EpochMember one, EpochMember two) {
		for (long second = 0; second < time.toSeconds(); second++) {
			pass(Duration.ofSeconds(1));
			one.round(null);
			two.round(null);
		}
		@Nullable EpochDocument document = one.document();
		return (document != null) ? document.epoch() : 0;
	}

}
