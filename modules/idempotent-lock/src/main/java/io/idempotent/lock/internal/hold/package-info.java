/**
 * Locks that are held: their grants, leases and states, and what renews them. Not for
 * users.
 */
@NullMarked
package io.idempotent.lock.internal.hold;

import org.jspecify.annotations.NullMarked;
