/**
 * The shop's own Redis, for when there is no other.
 */
@NullMarked
package io.idempotent.sample.redis;

import org.jspecify.annotations.NullMarked;
