package io.idempotent.sample.coupon;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A coupon that somebody got.
 *
 * @param id given by the database
 * @param couponId the coupon
 * @param userId who got it
 * @param createdAt when
 */
@Table
record CouponClaim(@Id @Nullable Long id, String couponId, String userId, Instant createdAt) {
}
