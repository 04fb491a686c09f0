/**
 * The properties of idempotency.
 */
@NullMarked
package io.idempotent.boot.internal.properties;

import org.jspecify.annotations.NullMarked;
