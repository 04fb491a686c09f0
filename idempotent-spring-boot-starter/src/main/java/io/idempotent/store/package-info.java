/**
 * The state machine of an operation and the SPI of the stores that keep its records.
 */
@NullMarked
package io.idempotent.store;

import org.jspecify.annotations.NullMarked;
