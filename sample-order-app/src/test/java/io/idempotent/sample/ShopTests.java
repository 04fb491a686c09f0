package io.idempotent.sample;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the shop does with the requests of customers and operators, on virtual threads
 * where Java has them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.security.user.password=secret", "server.servlet.session.cookie.name=shop-session",
				"spring.threads.virtual.enabled=true",
				// Those who want the same article wait longer for its row than H2's 2 s.
				"spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000" })
class ShopTests {

	private static final String PASSWORD = "secret";

	private static final int BUYERS = 24;

	private static final int BUYERS_AT_ONCE = 4;

	private static final String TOO_LONG = "a".repeat(65);

	private static final Pattern EXAMPLE = Pattern
		.compile("(?s)```sh\n([^`]*curl[^`]*)```\n(?:\n[^\n]+\n\n)?```(?:diff)?\n([^`]*)```");

	@Autowired
	private JdbcClient database;

	@Autowired
	private DistributedLocks locks;

	@Autowired
	private RedisConnectionFactory redis;

	private Shop shop;

	/** The shop outlives a test, which may run again after it failed. */
	private final String run = UUID.randomUUID().toString().substring(0, 8);

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void anOrderIsAnsweredWithWhatHappened() {
		HttpResponse<String> answer = this.shop.submit("/orders", Shop.order("ann", "green-tea", 2));
		assertThat(answer.statusCode()).isEqualTo(201);
		int id = JsonPath.read(answer.body(), "$.id");
		assertThat(answer.headers().firstValue("Location")).hasValue("/orders/" + id);
		assertThat(answer.body()).contains("\"userId\":\"ann\"", "\"sku\":\"green-tea\"", "\"quantity\":2");
		assertThat(Instant.parse(JsonPath.read(answer.body(), "$.createdAt")))
			.isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
		assertThat(this.shop.get("/orders/" + id).body()).isEqualTo(answer.body());
	}

	@Test
	void concurrentDuplicatesMakeOneOrder() {
		String carl = own("carl");
		String token = this.shop.openForm();
		List<HttpResponse<String>> answers = Stream
			.generate(() -> this.shop.postLater("/orders/slow?millis=500", Shop.order(carl, "green-tea", 2),
					Shop.TOKEN_HEADER, token))
			.limit(20)
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
		assertThat(answers).filteredOn((answer) -> !Shop.isReplay(answer)).hasSize(1);
		assertThat(this.shop.orderIdsOf(carl)).hasSize(1);
	}

	@Test
	void correctedFormIsSentAgainWithItsToken() {
		String dina = own("dina");
		String token = this.shop.openForm();
		assertThat(this.shop.post("/orders", Shop.order(dina, "green-tea", 0), Shop.TOKEN_HEADER, token).statusCode())
			.isEqualTo(400);
		for (int i = 0; i < 2; i++) {
			assertThat(
					this.shop.post("/orders", Shop.order(dina, "green-tea", 1), Shop.TOKEN_HEADER, token).statusCode())
				.isEqualTo(201);
		}
		assertThat(this.shop.orderIdsOf(dina)).hasSize(1);
	}

	@Test
	void ordersAreListedInTheirOrder() {
		String cleo = own("cleo");
		this.shop.submit("/orders", Shop.order(cleo, "oolong", 1));
		this.shop.submit("/orders", Shop.order(cleo, "oolong", 1));
		assertThat(this.shop.orderIdsOf(cleo)).hasSize(2).isSorted();
	}

	@Test
	void aRetriedPaymentGetsTheFirstAnswer() {
		String payment = payment(placeOrder(), "12.5");
		HttpResponse<String> first = this.shop.post("/payments", payment, "Idempotency-Key", own("retried"));
		HttpResponse<String> retry = this.shop.post("/payments", payment, "Idempotency-Key", own("retried"));
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(first.body()).contains("\"amount\":12.50");
		assertThat(Shop.isReplay(retry)).isTrue();
		assertThat(retry.body()).isEqualTo(first.body());
	}

	@Test
	void onlyOneOfManyPaymentsSettlesAnOrder() {
		int orderId = placeOrder();
		List<HttpResponse<String>> answers = IntStream.range(0, 8)
			.mapToObj((i) -> this.shop.postLater("/payments", payment(orderId, "10"), "Idempotency-Key",
					UUID.randomUUID().toString()))
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 201).hasSize(1);
		assertThat(answers).filteredOn((answer) -> answer.statusCode() != 201)
			.allSatisfy((answer) -> assertProblem(answer, 409, "already settled"));
		assertThat(JsonPath.<List<Integer>>read(this.shop.get("/payments").body(),
				"$[?(@.orderId == " + orderId + ")].id"))
			.hasSize(1);
	}

	@Test
	void everyCustomerGetsOneOfEveryCoupon() {
		String claims = "/coupons/" + own("vip") + "/claims";
		HttpResponse<String> first = this.shop.post(claims, "{\"userId\": \"iris\"}");
		HttpResponse<String> spelled = this.shop.post(claims.replace("vip", "%76ip"), "{\"userId\": \"iris\"}");
		assertThat(first.statusCode()).isEqualTo(201);
		assertThat(Shop.isReplay(spelled)).isTrue();
		assertThat(spelled.body()).isEqualTo(first.body()).contains("\"" + own("vip") + "\"", "\"iris\"");
		this.shop.post(claims, "{\"userId\": \"jack\"}");
		this.shop.post("/coupons/autumn/claims", "{\"userId\": \"jack\"}");
		assertThat(JsonPath.<List<String>>read(this.shop.get(claims).body(), "$[*].userId")).containsExactly("iris",
				"jack");
	}

	@Test
	void aCustomerGetsOneOfEachScarceArticle() {
		String sencha = stock("sencha", 3);
		String bancha = stock("bancha", 3);
		assertThat(buy(sencha, "bo").body()).contains("\"sku\":\"" + sencha + "\"", "\"userId\":\"bo\"");
		assertThat(buy(bancha, "bo").statusCode()).isEqualTo(201);
		HttpResponse<String> second = buy(sencha, "bo");
		assertProblem(second, 409, "bo has already bought " + sencha);
		assertThat(Shop.codeOf(second)).isEqualTo("already-bought");
		assertThat(stockOf(sencha)).isEqualTo("{\"sku\":\"%s\",\"amount\":2,\"version\":1}".formatted(sencha));
	}

	@Test
	void aSoldOutArticleIsNotSold() {
		String gyokuro = stock("gyokuro", 1);
		assertThat(buy(gyokuro, "cora").statusCode()).isEqualTo(201);
		HttpResponse<String> second = buy(gyokuro, "dirk");
		assertProblem(second, 409, gyokuro + " is sold out");
		assertThat(Shop.codeOf(second)).isEqualTo("sold-out");
		assertThat(buyersOf(gyokuro)).containsExactly("cora");
	}

	@Test
	void onlyTheCustomersOwnRequestsWaitForEachOther() {
		String oolong = stock("oolong", 3);
		DistributedLock requestOfFay = this.locks.get("seckill:" + oolong + ".fay");
		requestOfFay.lock();
		try {
			assertThat(buy(oolong, "gil").statusCode()).isEqualTo(201);
			HttpResponse<String> answer = buy(oolong, "fay");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(Shop.codeOf(answer)).isEqualTo("locked");
		}
		finally {
			requestOfFay.unlock();
		}
		assertThat(buy(oolong, "fay").statusCode()).isEqualTo(201);
	}

	@Test
	void buyersWhoseLockWasLostAreToldOfTheirPurchase() throws Exception {
		String puErh = stock("pu-erh", BUYERS);
		List<String> buyers = IntStream.range(0, BUYERS).mapToObj((i) -> "buyer-" + i).toList();
		ExecutorService threads = Executors.newFixedThreadPool(BUYERS_AT_ONCE + 1);
		AtomicBoolean open = new AtomicBoolean(true);
		try {
			Future<?> flushes = threads.submit(() -> {
				while (open.get()) {
					flushRedis();
				}
			});
			List<Future<HttpResponse<String>>> answers = buyers.stream()
				.map((buyer) -> threads.submit(() -> buyUntilNotBusy(puErh, buyer)))
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
		assertThat(stockOf(puErh)).contains("\"amount\":0,");
		assertThat(buyersOf(puErh)).containsExactlyInAnyOrderElementsOf(buyers);
	}

	@Test
	void theShopHasAPageAScarceArticleAndHealth() {
		assertThat(this.shop.get("/").body()).contains("<form id=\"order\"");
		assertThat(stockOf("first-flush")).isEqualTo("{\"sku\":\"first-flush\",\"amount\":10,\"version\":0}");
		assertThat(JsonPath.<String>read(this.shop.get("/actuator/health").body(), "$.status")).isEqualTo("UP");
	}

	@Test
	void aReminderIsSentWhenItIsDue() {
		HttpResponse<String> later = remind(Instant.now().plus(Duration.ofDays(1)));
		String now = remind(Instant.now()).headers().firstValue("Location").orElseThrow();
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.shop.get(now).body(), (body) -> JsonPath.read(body, "$.sent"));
		assertThat(this.shop.get(now).body()).endsWith("\"messages\":1}");
		assertThat(this.shop.get(later.headers().firstValue("Location").orElseThrow()).body()).isEqualTo(later.body())
			.endsWith("\"sent\":false,\"messages\":0}")
			.doesNotContain("4930123456", "tea time");
	}

	@Test
	void anOperatorSwitchesTheLockEngine() {
		try {
			assertThat(this.shop.switchTo("jdbc", PASSWORD).statusCode()).isEqualTo(200);
			assertThat(engine()).isEqualTo("jdbc");
			assertThat(this.shop.switchTo("etcd", PASSWORD).statusCode()).isEqualTo(400);
		}
		finally {
			assertThat(this.shop.switchTo("redisson", PASSWORD).statusCode()).isEqualTo(200);
		}
		assertThat(engine()).isEqualTo("redisson");
	}

	@Test
	void nobodyElseSeesOrSwitchesTheEngine() {
		assertThat(this.shop.get("/actuator/locks").statusCode()).isEqualTo(401);
		assertThat(this.shop.switchTo("jdbc", "wrong").statusCode()).isEqualTo(401);
		assertThat(this.shop.switchTo("jdbc", PASSWORD, "Cookie", "shop-session=0123456789ABCDEF").statusCode())
			.as("a session without a CSRF token, whatever else is sent")
			.isEqualTo(403);
		assertThat(engine()).isEqualTo("redisson");
	}

	@Test
	void theCommandsOfReadmeGetTheResponsesThatItShows() throws Exception {
		assumeTrue(run("command -v curl").endsWith("curl\n"), "bash or curl is not installed");
		List<MatchResult> examples = EXAMPLE.matcher(Files.readString(Path.of("..", "README.md"))).results().toList();
		assertThat(examples).hasSize(2);
		String order = "";
		for (MatchResult example : examples) {
			String output = run(example.group(1)
				.replace("localhost:8080", "localhost:" + this.shop.port())
				.replace("Idempotency-Key: ", "Idempotency-Key: " + own("key"))
				.replace("\"orderId\":1,", "\"orderId\":" + order + ","));
			order = output.replaceFirst("(?s).*?/orders/(\\d+).*", "$1");
			assertThat(comparable(output)).isEqualTo(comparable(bothResponses(example.group(2))));
		}
	}

	/** Of a difference, both sides; otherwise what is there. */
	private static String bothResponses(String shown) {
		return shown.startsWith(" ")
				? shown.replaceAll("(?m)^(\\+.*\n|[- ])", "") + shown.replaceAll("(?m)^(-.*\n|[+ ])", "") : shown;
	}

	/** Without what differs from run to run. */
	private static String comparable(String responses) {
		return responses.replaceAll("Date: .*", "")
			.replaceAll("(/orders/|\"id\":|Content-Length: )\\d+|(\"createdAt\":\")[^\"]+", "$1$2…")
			.replace("}HTTP", "}\nHTTP")
			.replaceAll("\\s*\\R\\s*", "\n")
			.strip();
	}

	private static String run(String commands) throws IOException, InterruptedException {
		Process bash = new ProcessBuilder("bash", "-c", commands).redirectErrorStream(true).start();
		String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		bash.waitFor();
		return output;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/orders/987654321    | There is no order 987654321
			/reminders/987654321 | There is no reminder 987654321
			/stock/coffee        | There is no stock of coffee
			""")
	void whatIsUnknownIsAProblem(String path, String detail) {
		assertProblem(this.shop.get(path), 404, detail);
	}

	@Test
	void anUnknownOrderIsNotSettledAndAnUnknownArticleNotSold() {
		assertProblem(pay(payment(987654321, "10")), 404, "There is no order 987654321");
		assertProblem(buy("coffee", "emma"), 404, "There is no stock of coffee");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/orders                  | {"userId": "dora"}
			/orders                  | {"userId": "dora", "sku": " ", "quantity": 1}
			/orders                  | {"userId": "dora", "sku": "tea", "quantity": 0}
			/orders                  | {"userId": "dora", "sku": "tea", "quantity": 10001}
			/orders                  | {"userId": "dora",
			/orders/slow?millis=-1   | {"userId": "dora", "sku": "tea", "quantity": 1}
			/orders/slow?millis=60001 | {"userId": "dora", "sku": "tea", "quantity": 1}
			/orders/slow?millis=     | {"userId": "dora", "sku": "tea", "quantity": 1}
			/coupons/winter/claims   | {"userId": ""}
			/payments                | {"orderId": ORDER, "amount": 0}
			/payments                | {"orderId": ORDER, "amount": 0.001}
			/payments                | {"orderId": ORDER, "amount": 1000000000000}
			/payments                | {"orderId": ORDER, "amount": null}
			/seckill/matcha          | {}
			/seckill/matcha?userId=  | {}
			/seckill/matcha?userId=a.b | {}
			/seckill/matcha?userId=a%0Ab | {}
			/seckill/mat%20cha?userId=a | {}
			/seckill/matcha?userId=TOO_LONG | {}
			/reminders               | {"phone": "call me", "text": "tea", "at": "2026-01-01T00:00:00Z"}
			/reminders               | {"phone": "1234", "text": "tea", "at": "2026-01-01T00:00:00Z"}
			/reminders               | {"phone": "1234567890123456", "text": "tea", "at": "2026-01-01T00:00:00Z"}
			/reminders               | {"phone": "4930123456", "text": "", "at": "2026-01-01T00:00:00Z"}
			/reminders               | {"phone": "4930123456", "text": "tea", "at": ""}
			/reminders               | {"phone": "4930123456", "text": "tea", "at": "1999-01-01T00:00:00Z"}
			/reminders               | {"phone": "4930123456", "text": "tea", "at": "+999999999-01-01T00:00:00Z"}
			""")
	void invalidInputIsRefused(String path, String json) {
		String body = json.contains("ORDER") ? json.replace("ORDER", String.valueOf(placeOrder())) : json;
		HttpResponse<String> answer = this.shop.post(path.replace("TOO_LONG", TOO_LONG), body, "Idempotency-Key",
				UUID.randomUUID().toString(), Shop.TOKEN_HEADER, this.shop.openForm());
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(this.shop.orderIdsOf("dora")).isEmpty();
	}

	private int placeOrder() {
		return JsonPath.read(this.shop.submit("/orders", Shop.order("gus", "green-tea", 1)).body(), "$.id");
	}

	private HttpResponse<String> pay(String payment) {
		return this.shop.post("/payments", payment, "Idempotency-Key", UUID.randomUUID().toString());
	}

	private static String payment(int orderId, String amount) {
		return "{\"orderId\": %d, \"amount\": %s}".formatted(orderId, amount);
	}

	private void flushRedis() {
		try (RedisConnection connection = this.redis.getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	/** A name that no other run of a test has used. */
	private String own(String name) {
		return name + "-" + this.run;
	}

	private String stock(String name, int amount) {
		String sku = own(name);
		this.database.sql("insert into stock (sku, amount, version) values (?, ?, 0)").params(sku, amount).update();
		return sku;
	}

	private List<String> buyersOf(String sku) {
		return this.database.sql("select user_id from purchase where sku = ?").param(sku).query(String.class).list();
	}

	private HttpResponse<String> buy(String sku, String userId) {
		return this.shop.post("/seckill/" + sku + "?userId=" + userId, "");
	}

	/** As a customer does who is told that the stock is busy: again. */
	private HttpResponse<String> buyUntilNotBusy(String sku, String userId) {
		HttpResponse<String> answer = buy(sku, userId);
		while (answer.statusCode() == 503 && Shop.codeOf(answer).equals("stock-busy")) {
			answer = buy(sku, userId);
		}
		return answer;
	}

	private String stockOf(String sku) {
		return this.shop.get("/stock/" + sku).body();
	}

	private HttpResponse<String> remind(Instant at) {
		return this.shop.post("/reminders",
				"{\"phone\": \"+4930123456\", \"text\": \"tea time\", \"at\": \"%s\"}".formatted(at));
	}

	private String engine() {
		return JsonPath.read(this.shop.locks(PASSWORD).body(), "$.engine");
	}

	private static void assertProblem(HttpResponse<String> answer, int status, String detail) {
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).contains(detail);
	}

}
