package io.idempotent.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/** Ends an attempt that is repeated; its response is the result if it is the last one. */
final class RefusedAttemptException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Longer than any call waits. */
	private static final Duration LONGEST = Duration.ofDays(1);

	private final transient Object response;

	private final Duration retryAfter;

	RefusedAttemptException(Object response, HttpStatusCode status, HttpHeaders headers) {
		super("status " + status.value(), null, false, false);
		this.response = response;
		this.retryAfter = retryAfter(headers);
	}

	<T> T response(Class<T> type) {
		return type.cast(this.response);
	}

	Duration retryAfter() {
		return this.retryAfter;
	}

	private static Duration retryAfter(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
		Duration time = (value != null && value.strip().matches("[0-9]+")) ? seconds(value.strip())
				: untilDate(headers);
		return time.isNegative() ? Duration.ZERO : (time.compareTo(LONGEST) > 0) ? LONGEST : time;
	}

	private static Duration seconds(String digits) {
		return (digits.length() > 9) ? LONGEST : Duration.ofSeconds(Long.parseLong(digits));
	}

	/** Counts from the {@code Date} of the response, so that clocks need not agree. */
	private static Duration untilDate(HttpHeaders headers) {
		Instant due = date(headers, HttpHeaders.RETRY_AFTER);
		if (due == null) {
			return Duration.ZERO;
		}
		Instant sent = date(headers, HttpHeaders.DATE);
		return Duration.between((sent != null) ? sent : Instant.now(), due);
	}

	private static @Nullable Instant date(HttpHeaders headers, String name) {
		try {
			ZonedDateTime date = headers.getFirstZonedDateTime(name);
			return (date != null) ? date.toInstant() : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
