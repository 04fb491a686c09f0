/**
 * Distributed locks over engines, as applications and operators see them. Not for users.
 */
@NullMarked
package io.idempotent.lock.internal;

import org.jspecify.annotations.NullMarked;
