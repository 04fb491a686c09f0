/** Operations that are calls: of bean methods, or of code passed to the template. */
@NullMarked
package io.idempotent.method;

import org.jspecify.annotations.NullMarked;
