package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one step of a search through all keys has found.
 *
 * @param keys the keys
 * @param next where the next step begins, in the terms of the client; {@code null} after
 * the last step
 */
record KeyPage(List<byte[]> keys, @Nullable Object next) {
}
