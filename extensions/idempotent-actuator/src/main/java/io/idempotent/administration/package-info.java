/** Lets operators inspect idempotent operations and settle those that are stuck. */
@NullMarked
package io.idempotent.administration;

import org.jspecify.annotations.NullMarked;
