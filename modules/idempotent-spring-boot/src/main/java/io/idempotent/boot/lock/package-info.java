/** Auto-configuration and properties of locks. */
@NullMarked
package io.idempotent.boot.lock;

import org.jspecify.annotations.NullMarked;
