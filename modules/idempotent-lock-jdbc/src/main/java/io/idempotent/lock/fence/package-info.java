/** Fences, by which the database refuses a holder that has lost its lock. */
@NullMarked
package io.idempotent.lock.fence;

import org.jspecify.annotations.NullMarked;
