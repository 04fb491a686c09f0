/** Checks of handler methods and of their callers. */
@NullMarked
package io.idempotent.boot.internal.web;

import org.jspecify.annotations.NullMarked;
