/**
 * Acquires, releases and downgrades locks for threads. Not for users.
 */
@NullMarked
package io.idempotent.lock.internal.acquire;

import org.jspecify.annotations.NullMarked;
