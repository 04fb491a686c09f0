package io.idempotent.sample.coupon;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * Somebody's wish for a coupon.
 *
 * @param userId who wants it
 */
record NewCouponClaim(@NotBlank @Size(max = 64) String userId) {
}
