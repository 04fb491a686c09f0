package io.idempotent.calls;

/**
 * A payment to make.
 *
 * @param reference the order that it is for
 * @param amount the amount
 */
record NewPayment(String reference, int amount) {
}
