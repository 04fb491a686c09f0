/** Operations that commit in several steps. */
@NullMarked
package io.idempotent.steps;

import org.jspecify.annotations.NullMarked;
