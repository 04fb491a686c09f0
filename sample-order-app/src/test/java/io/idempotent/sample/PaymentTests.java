package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does with a payment.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PaymentTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void paymentSettlesAnOrder() {
		int orderId = placeOrder();
		HttpResponse<String> answer = pay(payment(orderId, "12.5"));
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(answer.body()).contains("\"amount\":12.50");
		assertThat(paymentsOf(orderId)).containsExactly(JsonPath.<Integer>read(answer.body(), "$.id"));
	}

	@Test
	void retryGetsTheFirstAnswer() {
		String payment = payment(placeOrder(), "10");
		HttpResponse<String> first = this.shop.post("/payments", payment, "Idempotency-Key", "retried");
		HttpResponse<String> retry = this.shop.post("/payments", payment, "Idempotency-Key", "\"retried\"");
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(Shop.isReplay(retry)).isTrue();
		assertThat(retry.body()).isEqualTo(first.body());
	}

	@Test
	void settledOrderIsNotSettledAgain() {
		int orderId = placeOrder();
		pay(payment(orderId, "10"));
		HttpResponse<String> answer = pay(payment(orderId, "10"));
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).contains("already settled");
		assertThat(paymentsOf(orderId)).hasSize(1);
	}

	@Test
	void onlyOneOfManyPaymentsSettlesAnOrder() {
		int orderId = placeOrder();
		List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 8)
			.mapToObj((attempt) -> this.shop.postLater("/payments", payment(orderId, "10"), "Idempotency-Key",
					UUID.randomUUID().toString()))
			.toList();
		assertThat(answers).extracting((answer) -> answer.join().statusCode())
			.containsOnlyOnce(201)
			.containsOnly(201, 409);
		assertThat(paymentsOf(orderId)).hasSize(1);
	}

	@Test
	void unknownOrderCannotBeSettled() {
		HttpResponse<String> answer = pay(payment(987654321, "10"));
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).isEqualTo("There is no order 987654321");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "0.001", "1000000000000", "null", "\"much\"" })
	void invalidAmountIsRefused(String amount) {
		int orderId = placeOrder();
		assertThat(pay(payment(orderId, amount)).statusCode()).isEqualTo(400);
		assertThat(paymentsOf(orderId)).isEmpty();
	}

	private int placeOrder() {
		return JsonPath.read(this.shop.submit("/orders", Shop.order("gus", "green-tea", 1)).body(), "$.id");
	}

	private HttpResponse<String> pay(String payment) {
		return this.shop.post("/payments", payment, "Idempotency-Key", UUID.randomUUID().toString());
	}

	private List<Integer> paymentsOf(int orderId) {
		return JsonPath.read(this.shop.get("/payments").body(), "$[?(@.orderId == " + orderId + ")].id");
	}

	private static String payment(int orderId, String amount) {
		return "{\"orderId\": %d, \"amount\": %s}".formatted(orderId, amount);
	}

}
