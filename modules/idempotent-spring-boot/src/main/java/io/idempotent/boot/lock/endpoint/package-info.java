/** The actuator endpoint for locks. */
@NullMarked
package io.idempotent.boot.lock.endpoint;

import org.jspecify.annotations.NullMarked;
