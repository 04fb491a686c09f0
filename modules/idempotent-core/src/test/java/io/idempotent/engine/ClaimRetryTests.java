package io.idempotent.engine;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ClaimRetryTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void theReadBackCannotBeSwitchedOff() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ClaimRetry(0, SECOND, SECOND))
			.withMessageContaining("reads back");
	}

	@Test
	void timesThatMakeNoSenseAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ClaimRetry(1, SECOND.negated(), SECOND))
			.withMessageContaining("delay");
		assertThatIllegalArgumentException().isThrownBy(() -> new ClaimRetry(1, SECOND, Duration.ofNanos(1)))
			.withMessageContaining("timeout");
	}

}
