/** Bean methods that run under locks. */
@NullMarked
package io.idempotent.lock.method;

import org.jspecify.annotations.NullMarked;
