package io.idempotent.lock.internal;

import java.time.Duration;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockTemplate.UnlockTiming;
import io.idempotent.logging.DurationText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What options, terms and names may be.
 */
class LockValuesTests {

	private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

	@Test
	void timesLastAYearAtMost() {
		LockOptions options = LockOptions.DEFAULTS;
		assertThat(options.withLease(Duration.ofDays(365)).lease()).isEqualTo(Duration.ofDays(365));
		assertThatIllegalArgumentException().isThrownBy(() -> options.withLease(FOR_EVER))
			.withMessage("The lock option lease is " + DurationText.of(FOR_EVER) + ", but it must be a year at most");
		assertThatIllegalArgumentException().isThrownBy(() -> options.withHoldAtMost(FOR_EVER))
			.withMessageStartingWith("The lock option holdAtMost is");
		assertThatIllegalArgumentException().isThrownBy(() -> options.withHoldAtLeast(FOR_EVER))
			.withMessageStartingWith("The lock option holdAtLeast is");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TestLocks(FOR_EVER, FakeEngine.withLeases("fake")).close());
	}

	@Test
	void timesAreNotTooShort() {
		LockOptions options = LockOptions.DEFAULTS;
		assertThat(options.withLease(Duration.ofMillis(10)).withHoldAtMost(Duration.ofMillis(10)).holdAtMost())
			.isEqualTo(Duration.ofMillis(10));
		assertThatIllegalArgumentException().isThrownBy(() -> options.withLease(Duration.ofMillis(9)))
			.withMessage("The lock option lease is 9ms, but it must be at least 10ms");
		assertThatIllegalArgumentException().isThrownBy(() -> options.withHoldAtMost(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> options.withHoldAtLeast(Duration.ofNanos(-1)));
	}

	@Test
	void theLongestHoldIsNotShorterThanTheShortest() {
		LockOptions options = LockOptions.DEFAULTS.withHoldAtMost(Duration.ofMinutes(2));
		assertThat(options.withHoldAtLeast(Duration.ofMinutes(2)).holdAtLeast()).isEqualTo(Duration.ofMinutes(2));
		assertThatIllegalArgumentException().isThrownBy(() -> options.withHoldAtLeast(Duration.ofMinutes(3)))
			.withMessage("The lock option holdAtMost is 2m, but it must not be shorter than holdAtLeast");
	}

	@Test
	void optionsWithoutALeaseHaveTheConfiguredOne() {
		LockOptions options = LockOptions.DEFAULTS;
		assertThat(requestedLease(options)).isEqualTo(Duration.ofSeconds(30));
		assertThat(requestedLease(options.withLease(Duration.ofMinutes(2)))).isEqualTo(Duration.ofMinutes(2));
	}

	@Test
	void aLeaseIsNoLongerThanTheLongestHold() {
		LockOptions options = LockOptions.DEFAULTS;
		assertThat(requestedLease(options.withHoldAtMost(Duration.ofMinutes(5)))).isEqualTo(Duration.ofSeconds(30));
		assertThat(requestedLease(options.withHoldAtMost(Duration.ofSeconds(3)))).isEqualTo(Duration.ofSeconds(3));
	}

	private static Duration requestedLease(LockOptions options) {
		FakeEngine engine = FakeEngine.withLeases("fake");
		try (TestLocks locks = new TestLocks(Duration.ofSeconds(30), engine)) {
			assertThat(locks.get("a", options).tryLock()).isTrue();
			return engine.requests.get(0).lease();
		}
	}

	@Test
	void aTemplateThatWaitsForEverCanBeUsed() {
		FakeEngine engine = FakeEngine.withLeases("fake");
		try (TestLocks locks = new TestLocks(engine)) {
			LockTemplate template = new LockTemplate(locks.locks, UnlockTiming.IMMEDIATE, LockOptions.DEFAULTS,
					FOR_EVER, LockOptions.Settings.NONE);
			assertThat(template.<Integer, RuntimeException>execute("a", () -> 42)).isEqualTo(42);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "orders:42", "订单", "{orders}:42", "a{b}c}", "𝄞" })
	void acceptsAName(String name) {
		assertThat(new LockNames("").require(name)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a\u00a0b", "a\nb", "a\u0000", "a\u2028b", "a}", "a{", "{}a", "}{",
			"\ud834", "a\udd1e" })
	void refusesAName(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("").require(name));
	}

	@Test
	void aNameHasUpTo255Characters() {
		assertThat(new LockNames("").require("x".repeat(255))).hasSize(255);
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("").require("x".repeat(256)))
			.withMessage("A lock name has 1 to 255 characters, but this one has 256");
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("shop:lock:").require("x".repeat(246)))
			.withMessage("A lock name has 1 to 245 characters behind the prefix 'shop:lock:' "
					+ "(idempotent.lock.namespace), but this one has 246");
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("s".repeat(260)).require("x"))
			.withMessageEndingWith("' of lock names has 260 characters, and a name with its prefix has at most 255: "
					+ "set a shorter idempotent.lock.namespace");
	}

	@Test
	void aPrefixStandsBeforeTheName() {
		assertThat(new LockNames("shop:lock:").qualified("a")).isEqualTo("shop:lock:a");
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("{shop}:"));
		assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("my shop:"));
	}

}
