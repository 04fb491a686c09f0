/** Checks and log messages at startup, and the hints of a native image. */
@NullMarked
package io.idempotent.boot.internal.start;

import org.jspecify.annotations.NullMarked;
