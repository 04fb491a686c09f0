package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
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
 * However often a payment is retried, it settles its order once.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PaymentOnceTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void retryGetsTheFirstAnswer() {
		int orderId = placeOrder();
		String key = UUID.randomUUID().toString();
		HttpResponse<String> first = pay(orderId, key);
		HttpResponse<String> retry = pay(orderId, key);
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(retry.statusCode()).isEqualTo(201);
		assertThat(retry.body()).isEqualTo(first.body());
		assertThat(Shop.isReplay(retry)).isTrue();
		assertThat(paymentsOf(orderId)).hasSize(1);
	}

	@Test
	void keyMayBeQuotedAsTheDraftSays() {
		int orderId = placeOrder();
		String key = UUID.randomUUID().toString();
		HttpResponse<String> first = pay(orderId, '"' + key + '"');
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(pay(orderId, key).body()).isEqualTo(first.body());
	}

	@Test
	void retriesThatMeetSettleTheOrderOnce() {
		int orderId = placeOrder();
		String key = UUID.randomUUID().toString();
		List<CompletableFuture<HttpResponse<String>>> running = Stream
			.generate(() -> this.shop.postLater("/payments", payment(orderId), "Idempotency-Key", key))
			.limit(20)
			.toList();
		assertThat(running).extracting((answer) -> answer.join().statusCode()).contains(201).isSubsetOf(201, 409);
		assertThat(paymentsOf(orderId)).hasSize(1);
	}

	@Test
	void otherPaymentOfASettledOrderIsRefusedByTheShop() {
		int orderId = placeOrder();
		pay(orderId, UUID.randomUUID().toString());
		HttpResponse<String> answer = pay(orderId, UUID.randomUUID().toString());
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).contains("already settled");
		assertThat(Shop.isReplay(answer)).isFalse();
	}

	@Test
	void paymentWithoutAKeyIsRefused() {
		int orderId = placeOrder();
		HttpResponse<String> answer = this.shop.post("/payments", payment(orderId));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(Shop.codeOf(answer)).isEqualTo("key-missing");
		assertThat(paymentsOf(orderId)).isEmpty();
	}

	private int placeOrder() {
		return JsonPath.read(this.shop.submit("/orders", Shop.order("hugo", "green-tea", 1)).body(), "$.id");
	}

	private HttpResponse<String> pay(int orderId, String key) {
		return this.shop.post("/payments", payment(orderId), "Idempotency-Key", key);
	}

	private List<Integer> paymentsOf(int orderId) {
		return JsonPath.read(this.shop.get("/payments").body(), "$[?(@.orderId == " + orderId + ")].id");
	}

	private static String payment(int orderId) {
		return "{\"orderId\": %d, \"amount\": 10}".formatted(orderId);
	}

}
