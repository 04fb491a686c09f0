/** The actuator endpoint {@code idempotent}. */
@NullMarked
package io.idempotent.administration.autoconfigure;

import org.jspecify.annotations.NullMarked;
