/**
 * Locks in Redis, laid out as Redisson lays out its own.
 */
@NullMarked
package io.idempotent.lock.redisson;

import org.jspecify.annotations.NullMarked;
