package io.idempotent.sample.reminder;

import java.time.Instant;

/**
 * The public status of a reminder, without its phone number and text.
 *
 * @param id the reminder's id
 * @param at the time to send it
 * @param sent whether it was sent
 * @param messages the number of sent messages, which should never exceed one
 */
record ReminderStatus(long id, Instant at, boolean sent, int messages) {
}
