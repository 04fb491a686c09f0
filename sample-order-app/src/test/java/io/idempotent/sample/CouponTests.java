package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does with a claim for a coupon.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Tag("slow")
class CouponTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void claimIsAnsweredWithWhatHappened() {
		HttpResponse<String> answer = this.shop.post("/coupons/spring/claims", "{\"userId\": \"hana\"}");
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(JsonPath.<String>read(answer.body(), "$.couponId")).isEqualTo("spring");
		assertThat(JsonPath.<String>read(answer.body(), "$.userId")).isEqualTo("hana");
	}

	@Test
	void everyCustomerGetsOneOfEveryCoupon() {
		HttpResponse<String> first = this.shop.post("/coupons/vip/claims", "{\"userId\": \"iris\"}");
		HttpResponse<String> spelled = this.shop.post("/coupons/%76ip/claims", "{\"userId\": \"iris\"}");
		assertThat(Shop.isReplay(spelled)).isTrue();
		assertThat(spelled.body()).isEqualTo(first.body());
		this.shop.post("/coupons/vip/claims", "{\"userId\": \"jack\"}");
		assertThat(JsonPath.<List<String>>read(this.shop.get("/coupons/vip/claims").body(), "$[*].userId"))
			.containsExactly("iris", "jack");
	}

	@Test
	void claimsOfACouponAreListed() {
		this.shop.post("/coupons/summer/claims", "{\"userId\": \"ida\"}");
		this.shop.post("/coupons/summer/claims", "{\"userId\": \"jan\"}");
		this.shop.post("/coupons/autumn/claims", "{\"userId\": \"kim\"}");
		List<String> users = JsonPath.read(this.shop.get("/coupons/summer/claims").body(), "$[*].userId");
		assertThat(users).containsExactly("ida", "jan");
	}

	@Test
	void anonymousClaimIsRefused() {
		assertThat(this.shop.post("/coupons/winter/claims", "{\"userId\": \"\"}").statusCode()).isEqualTo(400);
		assertThat(this.shop.get("/coupons/winter/claims").body()).isEqualTo("[]");
	}

}
