/**
 * Coupon claims, identified by the content of the request.
 */
@NullMarked
package io.idempotent.sample.coupon;

import org.jspecify.annotations.NullMarked;
