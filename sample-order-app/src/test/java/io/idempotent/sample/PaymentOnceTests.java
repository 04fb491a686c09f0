package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.Refusal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import static io.idempotent.test.web.IdempotencyRestTestClientSupport.idempotencyKey;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.notReplayed;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.refused;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.replayed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * However often a payment is retried, it settles its order once.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PaymentOnceTests {

	private Shop shop;

	private RestTestClient client;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void retryGetsTheFirstAnswer() {
		int orderId = placeOrder();
		Consumer<HttpHeaders> key = idempotencyKey();
		String first = bodyOf(pay(orderId, key).expectAll(PaymentOnceTests::created, notReplayed()));
		String retry = bodyOf(pay(orderId, key).expectAll(PaymentOnceTests::created, replayed()));
		assertThat(retry).isEqualTo(first);
		assertThat(paymentsOf(orderId)).hasSize(1);
	}

	@Test
	void keyMayBeQuotedAsTheDraftSays() {
		int orderId = placeOrder();
		String key = UUID.randomUUID().toString();
		String first = bodyOf(pay(orderId, idempotencyKey('"' + key + '"')).expectAll(PaymentOnceTests::created));
		assertThat(bodyOf(pay(orderId, idempotencyKey(key)))).isEqualTo(first);
	}

	@Test
	void concurrentRetriesSettleTheOrderOnce() {
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
		pay(orderId, idempotencyKey());
		ResponseSpec answer = pay(orderId, idempotencyKey());
		answer.expectAll(notReplayed()).expectStatus().isEqualTo(HttpStatus.CONFLICT);
		assertThat(JsonPath.<String>read(bodyOf(answer), "$.detail")).contains("already settled");
	}

	@Test
	void paymentWithoutAKeyIsRefused() {
		int orderId = placeOrder();
		pay(orderId, (headers) -> {
		}).expectAll((answer) -> answer.expectStatus().isBadRequest(), refused(Refusal.KEY_MISSING));
		assertThat(paymentsOf(orderId)).isEmpty();
	}

	private int placeOrder() {
		return JsonPath.read(this.shop.submit("/orders", Shop.order("hugo", "green-tea", 1)).body(), "$.id");
	}

	private ResponseSpec pay(int orderId, Consumer<HttpHeaders> key) {
		return this.client.post()
			.uri("/payments")
			.contentType(MediaType.APPLICATION_JSON)
			.headers(key)
			.body(payment(orderId))
			.exchange();
	}

	private static void created(ResponseSpec answer) {
		answer.expectStatus().isCreated();
	}

	private static String bodyOf(ResponseSpec answer) {
		return answer.returnResult(String.class).getResponseBody();
	}

	private List<Integer> paymentsOf(int orderId) {
		return JsonPath.read(this.shop.get("/payments").body(), "$[?(@.orderId == " + orderId + ")].id");
	}

	private static String payment(int orderId) {
		return "{\"orderId\": %d, \"amount\": 10}".formatted(orderId);
	}

}
