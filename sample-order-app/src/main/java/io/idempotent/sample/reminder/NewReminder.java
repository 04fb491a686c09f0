package io.idempotent.sample.reminder;

import java.time.Duration;
import java.time.Instant;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * A request for a reminder.
 *
 * @param phone the phone number
 * @param text the text
 * @param at the time to send it; immediately if that is in the past
 */
record NewReminder(@NotNull @Pattern(regexp = "\\+?[0-9]{5,15}") String phone, @NotBlank @Size(max = 160) String text,
		@NotNull Instant at) {

	private static final Duration YEAR = Duration.ofDays(366);

	@AssertTrue(message = "must be within a year of now")
	boolean isAtWithinAYear() {
		Instant now = Instant.now();
		return this.at == null || (this.at.isAfter(now.minus(YEAR)) && this.at.isBefore(now.plus(YEAR)));
	}

}
