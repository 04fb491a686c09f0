/**
 * Payments, named by the caller.
 */
@NullMarked
package io.idempotent.sample.payment;

import org.jspecify.annotations.NullMarked;
