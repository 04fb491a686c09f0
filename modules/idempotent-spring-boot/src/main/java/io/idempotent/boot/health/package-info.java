/**
 * Health of the store, the lock engine and the guard, and their details in {@code info}.
 */
@NullMarked
package io.idempotent.boot.health;

import org.jspecify.annotations.NullMarked;
