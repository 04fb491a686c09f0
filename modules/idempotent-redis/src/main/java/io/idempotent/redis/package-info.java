/** The store of many nodes, in Redis. */
@NullMarked
package io.idempotent.redis;

import org.jspecify.annotations.NullMarked;
