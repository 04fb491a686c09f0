/**
 * Lets an operator see and switch the lock engine.
 */
@NullMarked
package io.idempotent.sample.lock;

import org.jspecify.annotations.NullMarked;
