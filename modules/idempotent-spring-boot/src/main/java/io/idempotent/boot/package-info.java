/** Auto-configuration of idempotency. */
@NullMarked
package io.idempotent.boot;

import org.jspecify.annotations.NullMarked;
