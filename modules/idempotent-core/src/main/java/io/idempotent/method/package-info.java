/**
 * Operations that are calls: of a bean's method, or of code that is handed over.
 */
@NullMarked
package io.idempotent.method;

import org.jspecify.annotations.NullMarked;
