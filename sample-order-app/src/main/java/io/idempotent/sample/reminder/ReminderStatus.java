package io.idempotent.sample.reminder;

import java.time.Instant;

/**
 * What has become of a reminder, for anybody to see: neither number nor text.
 *
 * @param id the reminder's id
 * @param at when it is to be sent
 * @param sent whether it was sent
 * @param messages how many messages went out, which should never be more than one
 */
record ReminderStatus(long id, Instant at, boolean sent, int messages) {
}
