/** How threads of this node acquire, hold, renew and release locks. Not for users. */
@NullMarked
package io.idempotent.lock.internal;

import org.jspecify.annotations.NullMarked;
