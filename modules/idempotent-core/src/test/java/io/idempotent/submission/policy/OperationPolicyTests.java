package io.idempotent.submission.policy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.logging.DurationText;
import io.idempotent.submission.TestPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OperationPolicyTests {

	private static final Duration TIME = Duration.ofSeconds(30);

	private static OperationPolicy times(Duration lease, Duration retention, Duration waitTimeout) {
		return new OperationPolicy("Orders.create", lease, retention, waitTimeout, WhenCompleted.REPLAY,
				WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
	}

	static Stream<Duration> tooShort() {
		return Stream.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-1));
	}

	@ParameterizedTest
	@MethodSource("tooShort")
	void everyTimeIsPositive(Duration time) {
		assertThatIllegalArgumentException().isThrownBy(() -> times(time, TIME, TIME))
			.withMessage("The lease of operation 'Orders.create' is " + DurationText.of(time)
					+ ", but it must be positive: give a time such as 30s");
		assertThatIllegalArgumentException().isThrownBy(() -> times(TIME, time, TIME))
			.withMessageStartingWith("The retention of operation 'Orders.create' is " + DurationText.of(time));
		assertThatIllegalArgumentException().isThrownBy(() -> times(TIME, TIME, time))
			.withMessageStartingWith("The wait-timeout of operation 'Orders.create' is " + DurationText.of(time));
	}

	@Test
	void leasesAndWaitsLastAtMostAYearButRetentionsForEver() {
		Duration year = Duration.ofDays(365);
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(times(year, forEver, year).retention()).isEqualTo(forEver);
		assertThatIllegalArgumentException().isThrownBy(() -> times(year.plusNanos(1), forEver, TIME))
			.withMessage("The lease of operation 'Orders.create' is 31536000000000001ns, which is longer than a year: "
					+ "give a time such as 30s");
		assertThatIllegalArgumentException().isThrownBy(() -> times(TIME, TIME, forEver))
			.withMessageStartingWith("The wait-timeout of operation 'Orders.create' is " + DurationText.of(forEver));
	}

	@Test
	void theRetentionMayBeShorterThanTheLease() {
		assertThat(times(TIME, TIME.minusNanos(1), TIME).retention()).isEqualTo(TIME.minusNanos(1));
	}

	@Test
	void aBurntKeyIsKeptForTheLeaseAtLeast() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TestPolicy.retention(TIME.minusNanos(1), WhenCompleted.BURN))
			.withMessageContainingAll("'Orders.create'", "29999999999ns", "lease (30s)", "choose REJECT");
	}

	@Test
	void theUserMessageIsForRepeatsOnly() {
		OperationPolicy policy = named("Orders.create", "{order.repeated}").recovering();
		for (Refusal refusal : Refusal.values()) {
			boolean repeated = refusal == Refusal.DUPLICATE || refusal == Refusal.IN_PROGRESS;
			SubmissionRefusedException refused = policy.exception(refusal);
			assertThat(refused.refusal()).isEqualTo(refusal);
			assertThat(refused.operation()).isEqualTo("Orders.create");
			assertThat(refused.userMessage()).isEqualTo(repeated ? "{order.repeated}" : null);
		}
		assertThat(times(TIME, TIME, TIME).exception(Refusal.DUPLICATE).userMessage()).isNull();
	}

	@Test
	void aNameFitsIntoAReceipt() {
		assertThat(named("n".repeat(255), "").receipt()).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> named("n".repeat(256), ""))
			.withMessageStartingWith("The name of operation 'nnn")
			.withMessageContaining("256 characters")
			.withMessageContaining("255");
	}

	private static OperationPolicy named(String name, String userMessage) {
		return new OperationPolicy(name, TIME, TIME, TIME, WhenCompleted.REPLAY, WhenInProgress.REJECT,
				WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, true, false, userMessage);
	}

	@Test
	void theDefaultConstantsAreNotAllowedInAPolicy() {
		for (Enum<?> undecided : List.of(WhenCompleted.DEFAULT, WhenInProgress.DEFAULT, WhenUnknown.DEFAULT,
				WhenFailed.DEFAULT, WhenStoreFails.DEFAULT)) {
			assertThatIllegalArgumentException().isThrownBy(() -> TestPolicy.with(undecided))
				.withMessage(
						"Operation 'Orders.create' has no value for " + undecided.getDeclaringClass().getSimpleName()
								+ ": DEFAULT stands for a default and cannot be one");
		}
	}

}
