/**
 * What operators ask of idempotent operations, and what they decide on those that are
 * stuck.
 */
@NullMarked
package io.idempotent.administration;

import org.jspecify.annotations.NullMarked;
