/**
 * The SPI of lock engines, and what all of them share: re-entry, waiting within a JVM,
 * leases, renewal and the report of a loss.
 */
@NullMarked
package io.idempotent.lock.engine;

import org.jspecify.annotations.NullMarked;
