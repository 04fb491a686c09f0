package io.idempotent.sample.coupon;

import java.util.List;

import io.idempotent.ApiIdempotent;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/coupons/{couponId}/claims")
class CouponController {

	private final CouponService coupons;

	CouponController(CouponService coupons) {
		this.coupons = coupons;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	@ApiIdempotent(key = "#couponId + ':' + #claim.userId")
	CouponClaim claim(@PathVariable @Size(max = 64) String couponId, @RequestBody @Valid NewCouponClaim claim) {
		return this.coupons.claim(couponId, claim);
	}

	@GetMapping
	List<CouponClaim> list(@PathVariable String couponId) {
		return this.coupons.findClaims(couponId);
	}

}
