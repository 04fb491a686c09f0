/**
 * What Spring Boot knows of the application's Redis.
 */
@NullMarked
package io.idempotent.boot.internal.redis;

import org.jspecify.annotations.NullMarked;
