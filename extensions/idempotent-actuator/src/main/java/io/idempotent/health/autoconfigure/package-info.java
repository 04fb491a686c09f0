/**
 * Health of the store, the lock engine and the guard, and their details in {@code info}.
 */
@NullMarked
package io.idempotent.health.autoconfigure;

import org.jspecify.annotations.NullMarked;
