/**
 * Auto-configuration and properties of idempotency.
 */
@NullMarked
package io.idempotent.boot;

import org.jspecify.annotations.NullMarked;
