package io.idempotent.sample.coupon;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class CouponService {

	private final CouponClaimRepository claims;

	CouponService(CouponClaimRepository claims) {
		this.claims = claims;
	}

	@Transactional
	CouponClaim claim(String couponId, NewCouponClaim claim) {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		return this.claims.save(new CouponClaim(null, couponId, claim.userId(), now));
	}

	List<CouponClaim> findClaims(String couponId) {
		return this.claims.findByCouponIdOrderById(couponId);
	}

}
