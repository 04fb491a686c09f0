package io.idempotent.sample;

import java.net.http.HttpResponse;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A customer who spells the path of a coupon in another way gets no second one.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.forward-headers-strategy=framework")
@Tag("slow")
class CouponSpellingTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@ParameterizedTest
	@CsvSource({ "vip1,/coupons/%76ip1/claims", "vip2,/coupons/v%69p2/claims" })
	void oneCouponForAnySpellingOfItsPath(String coupon, String spelling) {
		HttpResponse<String> first = this.shop.post("/coupons/" + coupon + "/claims", claim());
		HttpResponse<String> second = this.shop.post(spelling, claim());
		assertReplayed(first, second);
		assertThat(claims(coupon)).isEqualTo(1);
	}

	/** Without Spring Security they name the same coupon: the library's tests show it. */
	@ParameterizedTest
	@CsvSource({ "vip3,/coupons/vip3;v=1/claims", "vip4,/coupons/vip4/claims;jsessionid=1",
			"vip5,/co%75pons;a/vip%35/claim%73" })
	void parametersInAPathAreRefusedBySpringSecurity(String coupon, String spelling) {
		assertThat(this.shop.post("/coupons/" + coupon + "/claims", claim()).statusCode()).isEqualTo(201);
		assertThat(this.shop.post(spelling, claim()).statusCode()).isEqualTo(400);
		assertThat(claims(coupon)).isEqualTo(1);
	}

	@Test
	void oneCouponForAnyPrefixOfAProxy() {
		HttpResponse<String> first = this.shop.post("/coupons/vip6/claims", claim());
		assertReplayed(first, this.shop.post("/coupons/vip6/claims", claim(), "X-Forwarded-Prefix", "/a"));
		assertReplayed(first, this.shop.post("/coupons/vip6/claims", claim(), "X-Forwarded-Prefix", "/b"));
		assertThat(claims("vip6")).isEqualTo(1);
	}

	private static void assertReplayed(HttpResponse<String> first, HttpResponse<String> second) {
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(second.statusCode()).isEqualTo(201);
		assertThat(Shop.isReplay(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
	}

	private int claims(String coupon) {
		return JsonPath.read(this.shop.get("/coupons/" + coupon + "/claims").body(), "$.length()");
	}

	private static String claim() {
		return "{\"userId\": \"mallory\"}";
	}

}
