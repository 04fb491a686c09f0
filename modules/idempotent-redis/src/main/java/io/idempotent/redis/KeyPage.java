package io.idempotent.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of one step of a scan through all keys.
 *
 * @param keys the keys
 * @param next the client's cursor for the next step; {@code null} after the last step
 */
record KeyPage(List<byte[]> keys, @Nullable Object next) {
}
