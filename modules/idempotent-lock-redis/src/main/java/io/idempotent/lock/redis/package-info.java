/** Locks in Redis, with the keys and channels of Redisson's own locks. */
@NullMarked
package io.idempotent.lock.redis;

import org.jspecify.annotations.NullMarked;
