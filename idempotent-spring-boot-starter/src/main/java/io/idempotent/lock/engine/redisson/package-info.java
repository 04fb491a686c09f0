/**
 * Locks in Redis, laid out as Redisson lays out its own.
 */
@NullMarked
package io.idempotent.lock.engine.redisson;

import org.jspecify.annotations.NullMarked;
