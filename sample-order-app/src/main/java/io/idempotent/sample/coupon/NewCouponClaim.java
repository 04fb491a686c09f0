package io.idempotent.sample.coupon;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * A request for a coupon.
 *
 * @param userId the user
 */
record NewCouponClaim(@NotBlank @Size(max = 64) String userId) {
}
