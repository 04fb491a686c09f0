/**
 * An embedded Redis, used if no other one is configured.
 */
@NullMarked
package io.idempotent.sample.redis;

import org.jspecify.annotations.NullMarked;
