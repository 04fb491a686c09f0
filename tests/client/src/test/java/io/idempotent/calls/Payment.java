package io.idempotent.calls;

/**
 * A payment that was made.
 *
 * @param id its number
 * @param reference the order that it is for
 * @param amount the amount
 */
record Payment(long id, String reference, int amount) {
}
