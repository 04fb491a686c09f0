/**
 * Health of the store, the lock engine and the guard, and what {@code info} says of them.
 */
@NullMarked
package io.idempotent.boot.health;

import org.jspecify.annotations.NullMarked;
