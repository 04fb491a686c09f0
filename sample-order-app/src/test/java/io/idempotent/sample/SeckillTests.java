package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does with a wish for a scarce article.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SeckillTests {

	private static final int BUYERS = 40;

	@Autowired
	private JdbcClient database;

	@Autowired
	private DistributedLocks locks;

	@Autowired
	private RedisConnectionFactory redis;

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void purchaseIsAnsweredWithWhatHappened() {
		stock("white-tea", 3);
		HttpResponse<String> answer = buy("white-tea", "abel");
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(JsonPath.<String>read(answer.body(), "$.sku")).isEqualTo("white-tea");
		assertThat(JsonPath.<String>read(answer.body(), "$.userId")).isEqualTo("abel");
		assertThat(stockOf("white-tea")).isEqualTo("{\"sku\":\"white-tea\",\"amount\":2,\"version\":1}");
	}

	@Test
	void customerGetsOneOfEachArticle() {
		stock("sencha", 3);
		stock("bancha", 3);
		assertThat(buy("sencha", "bo").statusCode()).isEqualTo(201);
		assertThat(buy("bancha", "bo").statusCode()).isEqualTo(201);
		assertProblem(buy("sencha", "bo"), 409, "already-bought", "bo has already bought sencha");
		assertThat(stockOf("sencha")).contains("\"amount\":2,");
	}

	@Test
	void soldOutArticleIsNotSold() {
		stock("gyokuro", 1);
		assertThat(buy("gyokuro", "cora").statusCode()).isEqualTo(201);
		assertProblem(buy("gyokuro", "dirk"), 409, "sold-out", "gyokuro is sold out");
		assertThat(stockOf("gyokuro")).isEqualTo("{\"sku\":\"gyokuro\",\"amount\":0,\"version\":1}");
		assertThat(this.database.sql("select user_id from purchase where sku = 'gyokuro'").query(String.class).list())
			.containsExactly("cora");
	}

	@Test
	void onlyTheCustomersOwnRequestsWaitForEachOther() {
		stock("oolong", 3);
		DistributedLock requestOfFay = this.locks.get("seckill:oolong.fay");
		requestOfFay.lock();
		try {
			assertThat(buy("oolong", "gil").statusCode()).isEqualTo(201);
			HttpResponse<String> answer = buy("oolong", "fay");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(Shop.codeOf(answer)).isEqualTo("locked");
		}
		finally {
			requestOfFay.unlock();
		}
		assertThat(buy("oolong", "fay").statusCode()).isEqualTo(201);
	}

	@Test
	void buyersWhoseLockWasLostAreToldOfTheirPurchase() throws Exception {
		stock("pu-erh", BUYERS);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		AtomicBoolean open = new AtomicBoolean(true);
		try {
			Future<?> flushes = threads.submit(() -> {
				while (open.get()) {
					flushRedis();
				}
			});
			List<Future<HttpResponse<String>>> answers = IntStream.range(0, BUYERS)
				.mapToObj((i) -> threads.submit(() -> buy("pu-erh", "buyer-" + i)))
				.toList();
			for (Future<HttpResponse<String>> answer : answers) {
				assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(201);
			}
			open.set(false);
			flushes.get();
		}
		finally {
			open.set(false);
			threads.shutdownNow();
		}
		assertThat(stockOf("pu-erh")).contains("\"amount\":0,");
	}

	@Test
	void unknownArticleIsAProblem() {
		HttpResponse<String> answer = buy("coffee", "emma");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).isEqualTo("There is no stock of coffee");
		assertThat(this.shop.get("/stock/coffee").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "matcha", "matcha?userId=", "matcha?userId=a.b", "matcha?userId=a%0Ab",
			"mat%20cha?userId=a", "matcha?userId=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" })
	void invalidPurchaseIsRefused(String wish) {
		HttpResponse<String> answer = this.shop.post("/seckill/" + wish, "");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
	}

	@Test
	void shopStartsWithAScarceArticle() {
		assertThat(stockOf("first-flush")).isEqualTo("{\"sku\":\"first-flush\",\"amount\":10,\"version\":0}");
	}

	private void flushRedis() {
		try (RedisConnection connection = this.redis.getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	private void stock(String sku, int amount) {
		this.database.sql("insert into stock (sku, amount, version) values (?, ?, 0)").params(sku, amount).update();
	}

	private HttpResponse<String> buy(String sku, String userId) {
		return this.shop.post("/seckill/" + sku + "?userId=" + userId, "");
	}

	private String stockOf(String sku) {
		return this.shop.get("/stock/" + sku).body();
	}

	private static void assertProblem(HttpResponse<String> answer, int status, String code, String detail) {
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(Shop.codeOf(answer)).isEqualTo(code);
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).isEqualTo(detail);
	}

}
