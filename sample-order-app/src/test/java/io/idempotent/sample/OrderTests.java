package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

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
 * What the shop does with an order.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void placedOrderIsAnsweredWithWhatHappened() {
		HttpResponse<String> answer = this.shop.submit("/orders", Shop.order("ann", "green-tea", 2));
		assertThat(answer.statusCode()).isEqualTo(201);
		int id = JsonPath.read(answer.body(), "$.id");
		assertThat(answer.headers().firstValue("Location")).hasValue("/orders/" + id);
		assertThat(JsonPath.<String>read(answer.body(), "$.userId")).isEqualTo("ann");
		assertThat(JsonPath.<String>read(answer.body(), "$.sku")).isEqualTo("green-tea");
		assertThat(JsonPath.<Integer>read(answer.body(), "$.quantity")).isEqualTo(2);
		assertThat(Instant.parse(JsonPath.read(answer.body(), "$.createdAt")))
			.isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
	}

	@Test
	void secondClickGetsTheFirstAnswer() {
		String token = this.shop.openForm();
		HttpResponse<String> first = this.shop.post("/orders", Shop.order("ada", "green-tea", 2), Shop.TOKEN_HEADER,
				token);
		HttpResponse<String> second = this.shop.post("/orders", Shop.order("ada", "green-tea", 2), Shop.TOKEN_HEADER,
				token);
		assertThat(Shop.isReplay(first)).isFalse();
		assertThat(Shop.isReplay(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(this.shop.orderIdsOf("ada")).hasSize(1);
	}

	@Test
	void concurrentDuplicatesMakeOneOrder() {
		String token = this.shop.openForm();
		List<CompletableFuture<HttpResponse<String>>> running = Stream
			.generate(() -> this.shop.postLater("/orders/slow?millis=500", Shop.order("carl", "green-tea", 2),
					Shop.TOKEN_HEADER, token))
			.limit(20)
			.toList();
		List<HttpResponse<String>> answers = running.stream().map(CompletableFuture::join).toList();
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
		assertThat(this.shop.orderIdsOf("carl")).hasSize(1);
	}

	@Test
	void correctedFormIsSentAgainWithItsToken() {
		String token = this.shop.openForm();
		assertThat(this.shop.post("/orders", Shop.order("dina", "green-tea", 0), Shop.TOKEN_HEADER, token).statusCode())
			.isEqualTo(400);
		assertThat(this.shop.post("/orders", Shop.order("dina", "green-tea", 1), Shop.TOKEN_HEADER, token).statusCode())
			.isEqualTo(201);
		assertThat(this.shop.orderIdsOf("dina")).hasSize(1);
	}

	@Test
	void placedOrderLooksTheSameLater() {
		HttpResponse<String> answer = this.shop.submit("/orders", Shop.order("ben", "black-tea", 1));
		HttpResponse<String> later = this.shop.get(answer.headers().firstValue("Location").orElseThrow());
		assertThat(later.statusCode()).isEqualTo(200);
		assertThat(later.body()).isEqualTo(answer.body());
	}

	@Test
	void everyPlacedOrderIsListedInItsOrder() {
		this.shop.submit("/orders", Shop.order("cleo", "oolong", 1));
		this.shop.submit("/orders", Shop.order("cleo", "oolong", 1));
		assertThat(this.shop.orderIdsOf("cleo")).hasSize(2).isSorted();
	}

	@Test
	void unknownOrderIsAProblem() {
		HttpResponse<String> answer = this.shop.get("/orders/987654321");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).isEqualTo("There is no order 987654321");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"userId\": \"dora\"}", "{\"userId\": \"dora\", \"sku\": \" \", \"quantity\": 1}",
			"{\"userId\": \"dora\", \"sku\": \"tea\", \"quantity\": 0}",
			"{\"userId\": \"dora\", \"sku\": \"tea\", \"quantity\": 10001}", "{\"userId\": \"dora\", " })
	void invalidOrderIsRefused(String json) {
		HttpResponse<String> answer = this.shop.submit("/orders", json);
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(this.shop.orderIdsOf("dora")).isEmpty();
	}

	@Test
	void slowOrderTakesItsTime() {
		long start = System.nanoTime();
		HttpResponse<String> answer = this.shop.submit("/orders/slow?millis=300", Shop.order("emil", "mate", 1));
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
		assertThat(this.shop.orderIdsOf("emil")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "60001", "soon", "" })
	void delayOfASlowOrderIsLimited(String millis) {
		HttpResponse<String> answer = this.shop.submit("/orders/slow?millis=" + millis, Shop.order("finn", "mate", 1));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(this.shop.orderIdsOf("finn")).isEmpty();
	}

	@Test
	void shopHasAPageAndAHealthEndpoint() {
		assertThat(this.shop.get("/").body()).contains("<form id=\"order\"");
		assertThat(JsonPath.<String>read(this.shop.get("/actuator/health").body(), "$.status")).isEqualTo("UP");
	}

}
