/**
 * The SPI of lock engines, and what all engines share: re-entry, waiting within a JVM,
 * renewal of leases and the report of a loss.
 */
@NullMarked
package io.idempotent.lock.engine;

import org.jspecify.annotations.NullMarked;
