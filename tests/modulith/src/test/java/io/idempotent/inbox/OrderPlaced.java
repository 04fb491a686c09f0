package io.idempotent.inbox;

/**
 * An event of one module for another one.
 *
 * @param order the order
 */
record OrderPlaced(String order) {
}
