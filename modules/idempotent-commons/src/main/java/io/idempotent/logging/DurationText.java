package io.idempotent.logging;

import java.time.Duration;

/**
 * Durations in logs and exceptions, as Spring Boot's {@code DurationStyle.SIMPLE} reads
 * them: what is printed can be copied into a property.
 */
public final class DurationText {

	private static final long MINUTE = 60;

	private static final long HOUR = 60 * MINUTE;

	private static final long DAY = 24 * HOUR;

	private static final int MICROSECOND = 1_000;

	private static final int MILLISECOND = 1_000_000;

	/** Beyond this, fractions of a second are ignored; nanoseconds would overflow. */
	private static final long LONGEST_WITH_FRACTION = 1_000_000_000;

	private DurationText() {
	}

	/** Prints a configured duration exactly. A single day is {@code 24h}. */
	public static String of(Duration duration) {
		long seconds = duration.toSeconds();
		if (duration.toNanosPart() == 0 || seconds > LONGEST_WITH_FRACTION || seconds < -LONGEST_WITH_FRACTION) {
			return ofSeconds(seconds);
		}
		if (duration.toNanosPart() % MILLISECOND == 0) {
			return duration.toMillis() + "ms";
		}
		return (duration.toNanosPart() % MICROSECOND == 0) ? duration.toNanos() / MICROSECOND + "us"
				: duration.toNanos() + "ns";
	}

	/** In seconds from ten seconds on, otherwise in milliseconds. */
	public static String ofMeasured(Duration duration) {
		long seconds = duration.toSeconds();
		return (seconds >= 10) ? seconds + "s" : duration.toMillis() + "ms";
	}

	private static String ofSeconds(long seconds) {
		if (seconds % DAY == 0 && Math.abs(seconds) > DAY) {
			return seconds / DAY + "d";
		}
		if (seconds % HOUR == 0 && seconds != 0) {
			return seconds / HOUR + "h";
		}
		return (seconds % MINUTE == 0 && seconds != 0) ? seconds / MINUTE + "m" : seconds + "s";
	}

}
