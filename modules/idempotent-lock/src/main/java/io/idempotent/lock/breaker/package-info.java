/**
 * Switching to another lock engine when the one in use fails.
 */
@NullMarked
package io.idempotent.lock.breaker;

import org.jspecify.annotations.NullMarked;
