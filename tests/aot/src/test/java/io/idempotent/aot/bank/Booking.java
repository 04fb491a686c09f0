package io.idempotent.aot.bank;

import java.time.Instant;

/**
 * A payment that was booked.
 *
 * @param number the number of the row
 * @param payment what was paid
 * @param at when
 */
public record Booking(int number, Payment payment, Instant at) {
}
