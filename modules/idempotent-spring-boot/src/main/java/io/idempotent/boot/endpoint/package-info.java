/** The actuator endpoint {@code idempotent}. */
@NullMarked
package io.idempotent.boot.endpoint;

import org.jspecify.annotations.NullMarked;
