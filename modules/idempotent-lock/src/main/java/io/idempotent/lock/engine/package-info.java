/** The SPI of lock engines, and of observers of acquisitions. */
@NullMarked
package io.idempotent.lock.engine;

import org.jspecify.annotations.NullMarked;
