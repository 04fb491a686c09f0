/** The SPI of the stores that keep the records of operations. */
@NullMarked
package io.idempotent.store;

import org.jspecify.annotations.NullMarked;
