/** Steps in the guarded database. */
@NullMarked
package io.idempotent.steps.internal;

import org.jspecify.annotations.NullMarked;
