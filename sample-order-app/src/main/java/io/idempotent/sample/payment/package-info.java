/**
 * Payments, identified by a key that the caller chooses.
 */
@NullMarked
package io.idempotent.sample.payment;

import org.jspecify.annotations.NullMarked;
