/**
 * Coupon claims, named by what they ask for.
 */
@NullMarked
package io.idempotent.sample.coupon;

import org.jspecify.annotations.NullMarked;
