package io.idempotent.logging;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT0.3S, 300ms", "PT10S, 10s", "PT-1S, -1s", "PT90S, 90s", "PT1M, 1m", "PT24H, 24h",
			"PT48H, 2d", "PT36H, 36h", "PT0.0005S, 500us", "PT0.000000001S, 1ns", "PT1.5S, 1500ms" })
	void isAWholeNumberOfTheLargestUnit(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "PT0.0123456S, 12ms", "PT9.9999S, 9999ms", "PT10.9S, 10s", "PT1H0.1S, 3600s" })
	void isRoundedWhereItIsMeasured(Duration duration, String text) {
		assertThat(DurationText.ofMeasured(duration)).isEqualTo(text);
	}

	@Test
	void isReadBySpringBoot() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		Stream.generate(() -> duration(random))
			.limit(10_000)
			.forEach((duration) -> assertThat(DurationStyle.SIMPLE.parse(DurationText.of(duration))).as("seed %d", seed)
				.isEqualTo(duration));
	}

	@Test
	void hasATextForEveryDuration() {
		assertThat(Stream.of(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofSeconds(Long.MIN_VALUE, 1)))
			.allSatisfy((duration) -> assertThat(DurationText.of(duration)).matches("-?[0-9]+[a-z]+"));
	}

	private static Duration duration(Random random) {
		long amount = random.nextLong(1_000_000);
		return switch (random.nextInt(7)) {
			case 0 -> Duration.ofNanos(amount);
			case 1 -> Duration.ofNanos(amount * 1_000);
			case 2 -> Duration.ofMillis(amount);
			case 3 -> Duration.ofSeconds(amount);
			case 4 -> Duration.ofMinutes(amount);
			case 5 -> Duration.ofHours(amount);
			default -> Duration.ofDays(amount);
		};
	}

}
