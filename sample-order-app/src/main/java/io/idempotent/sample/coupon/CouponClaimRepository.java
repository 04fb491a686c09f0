package io.idempotent.sample.coupon;

import java.util.List;

import org.springframework.data.repository.ListCrudRepository;

interface CouponClaimRepository extends ListCrudRepository<CouponClaim, Long> {

	List<CouponClaim> findByCouponIdOrderById(String couponId);

}
