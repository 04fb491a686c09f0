/**
 * Epochs: all nodes agree on the lock engine in force, and switch together.
 */
@NullMarked
package io.idempotent.lock.epoch;

import org.jspecify.annotations.NullMarked;
