/** The actuator endpoint for locks. */
@NullMarked
package io.idempotent.lock.administration.autoconfigure;

import org.jspecify.annotations.NullMarked;
