package io.idempotent.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Reads {@code Retry-After}: seconds or a date. A date counts from the {@code Date} of
 * the response if there is one, so that the clocks need not agree.
 */
final class RetryAfter {

	/** Longer than any call waits. */
	private static final Duration LONGEST = Duration.ofDays(1);

	private RetryAfter() {
	}

	/**
	 * How long to wait at least.
	 * @return the time, zero if the header is absent or malformed
	 */
	static Duration in(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
		if (value == null || value.isBlank()) {
			return Duration.ZERO;
		}
		String text = value.trim();
		Duration time = text.chars().allMatch((c) -> c >= '0' && c <= '9') ? seconds(text) : until(text, headers);
		return time.isNegative() ? Duration.ZERO : (time.compareTo(LONGEST) > 0) ? LONGEST : time;
	}

	private static Duration seconds(String digits) {
		return (digits.length() > 9) ? LONGEST : Duration.ofSeconds(Long.parseLong(digits));
	}

	private static Duration until(String text, HttpHeaders headers) {
		Instant date = date(text);
		if (date == null) {
			return Duration.ZERO;
		}
		Instant sent = date(headers.getFirst(HttpHeaders.DATE));
		return Duration.between((sent != null) ? sent : Instant.now(), date);
	}

	private static @Nullable Instant date(@Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			return ZonedDateTime.parse(text.trim(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

}
