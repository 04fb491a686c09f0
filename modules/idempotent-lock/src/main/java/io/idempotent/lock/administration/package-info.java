/**
 * What operators see of locks, and change by hand.
 */
@NullMarked
package io.idempotent.lock.administration;

import org.jspecify.annotations.NullMarked;
