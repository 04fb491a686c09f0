/** Functional interfaces for code that may throw any exception, checked ones included. */
@NullMarked
package io.idempotent.function;

import org.jspecify.annotations.NullMarked;
