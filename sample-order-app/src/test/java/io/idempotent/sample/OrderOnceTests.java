package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However often an order form is sent, it makes one order.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderOnceTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void secondClickGetsTheFirstAnswer() {
		String token = this.shop.openForm();
		HttpResponse<String> first = submit(token, Shop.order("ada", "green-tea", 2));
		HttpResponse<String> second = submit(token, Shop.order("ada", "green-tea", 2));
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(second.statusCode()).isEqualTo(201);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(second.headers().firstValue("Location")).isEqualTo(first.headers().firstValue("Location"));
		assertThat(second.headers().firstValue("Content-Type")).isEqualTo(first.headers().firstValue("Content-Type"));
		assertThat(Shop.isReplay(first)).isFalse();
		assertThat(Shop.isReplay(second)).isTrue();
		assertThat(this.shop.orderIdsOf("ada")).hasSize(1);
	}

	@Test
	void twoFormsMakeTwoOrders() {
		String one = this.shop.openForm();
		String other = this.shop.openForm();
		assertThat(submit(one, Shop.order("bea", "green-tea", 2)).statusCode()).isEqualTo(201);
		assertThat(submit(other, Shop.order("bea", "green-tea", 2)).statusCode()).isEqualTo(201);
		assertThat(this.shop.orderIdsOf("bea")).hasSize(2);
	}

	@Test
	void concurrentDuplicatesMakeOneOrder() {
		String token = this.shop.openForm();
		String order = Shop.order("carl", "green-tea", 2);
		List<CompletableFuture<HttpResponse<String>>> running = Stream
			.generate(() -> this.shop.postLater("/orders/slow?millis=500", order, Shop.TOKEN_HEADER, token))
			.limit(20)
			.toList();
		List<HttpResponse<String>> answers = running.stream().map(CompletableFuture::join).toList();
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
		assertThat(answers).filteredOn((answer) -> !Shop.isReplay(answer)).hasSize(1);
		assertThat(this.shop.orderIdsOf("carl")).hasSize(1);
	}

	@Test
	void correctedFormIsSentAgainWithItsToken() {
		String token = this.shop.openForm();
		assertThat(submit(token, Shop.order("dina", "green-tea", 0)).statusCode()).isEqualTo(400);
		assertThat(submit(token, "{").statusCode()).isEqualTo(400);
		assertThat(submit(token, Shop.order("dina", "green-tea", 1)).statusCode()).isEqualTo(201);
		assertThat(this.shop.orderIdsOf("dina")).hasSize(1);
	}

	@Test
	void tokenIsGoodForOneContentOnly() {
		String token = this.shop.openForm();
		assertThat(submit(token, Shop.order("eve", "green-tea", 1)).statusCode()).isEqualTo(201);
		HttpResponse<String> other = submit(token, Shop.order("eve", "green-tea", 100));
		assertThat(other.statusCode()).isEqualTo(422);
		assertThat(Shop.codeOf(other)).isEqualTo("key-reused");
		assertThat(this.shop.orderIdsOf("eve")).hasSize(1);
	}

	@Test
	void orderWithoutATokenIsRefused() {
		HttpResponse<String> answer = this.shop.post("/orders", Shop.order("fred", "green-tea", 1));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(Shop.codeOf(answer)).isEqualTo("key-missing");
		assertThat(this.shop.orderIdsOf("fred")).isEmpty();
	}

	@Test
	void tokenThatWasNeverIssuedIsRefused() {
		String token = this.shop.openForm();
		String forged = ((token.charAt(0) != 'A') ? "A" : "B") + token.substring(1);
		HttpResponse<String> answer = submit(forged, Shop.order("gina", "green-tea", 1));
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(Shop.codeOf(answer)).isEqualTo("token-unknown");
		assertThat(this.shop.orderIdsOf("gina")).isEmpty();
	}

	private HttpResponse<String> submit(String token, String order) {
		return this.shop.post("/orders", order, Shop.TOKEN_HEADER, token);
	}

}
