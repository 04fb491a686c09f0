/** Distributed locks over engines, for applications and operators. Not for users. */
@NullMarked
package io.idempotent.lock.internal;

import org.jspecify.annotations.NullMarked;
