package io.idempotent.kafka;

/**
 * The content of a message.
 *
 * @param id what tells it from others, given by its sender
 * @param cents how much
 */
record Payment(String id, long cents) {
}
