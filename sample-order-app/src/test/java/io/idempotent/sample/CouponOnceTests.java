package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However often a customer asks for a coupon, there is one for each.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class CouponOnceTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void secondClaimGetsTheFirstAnswer() {
		HttpResponse<String> first = claim("gold", "iris");
		HttpResponse<String> second = claim("gold", "iris");
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(second.statusCode()).isEqualTo(201);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(Shop.isReplay(second)).isTrue();
		assertThat(usersOf("gold")).containsExactly("iris");
	}

	@Test
	void everyCustomerGetsOneOfEveryCoupon() {
		claim("silver", "jack");
		claim("silver", "kate");
		claim("bronze", "jack");
		assertThat(usersOf("silver")).containsExactly("jack", "kate");
		assertThat(usersOf("bronze")).containsExactly("jack");
	}

	@Test
	void concurrentClaimsMakeOne() {
		List<CompletableFuture<HttpResponse<String>>> running = Stream
			.generate(() -> this.shop.postLater("/coupons/iron/claims", claimOf("lars")))
			.limit(20)
			.toList();
		assertThat(running).extracting((answer) -> answer.join().statusCode()).contains(201).isSubsetOf(201, 409);
		assertThat(usersOf("iron")).containsExactly("lars");
	}

	private HttpResponse<String> claim(String couponId, String userId) {
		return this.shop.post("/coupons/" + couponId + "/claims", claimOf(userId));
	}

	private List<String> usersOf(String couponId) {
		return JsonPath.read(this.shop.get("/coupons/" + couponId + "/claims").body(), "$[*].userId");
	}

	private static String claimOf(String userId) {
		return "{\"userId\": \"%s\"}".formatted(userId);
	}

}
