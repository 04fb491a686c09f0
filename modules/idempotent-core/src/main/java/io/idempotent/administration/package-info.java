/**
 * Information about operations for operators, and what they may change.
 */
@NullMarked
package io.idempotent.administration;

import org.jspecify.annotations.NullMarked;
