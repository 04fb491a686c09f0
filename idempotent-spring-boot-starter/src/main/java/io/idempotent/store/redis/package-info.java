/**
 * The store of many nodes, in Redis.
 */
@NullMarked
package io.idempotent.store.redis;

import org.jspecify.annotations.NullMarked;
