package io.idempotent.versions;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.versions.Shop.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The published classes run unchanged on the version of Spring Boot that the module has.
 */
@Tag("slow")
class SpringBootVersionTests {

	private static final String KEY = "Idempotency-Key";

	private static EmbeddedRedis redis;

	private static ConfigurableApplicationContext application;

	private static Shop shop;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		application = SpringApplication.run(OrderApplication.class, "--spring.data.redis.port=" + redis.port());
		shop = Shop.at(application.getEnvironment().getRequiredProperty("local.server.port"));
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	@Test
	void theVersionIsThatOfTheModule() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
	}

	@Test
	void aTokenIsGoodForOneOrder() throws Exception {
		assertPlacedOnce("token", "Idempotent-Token", shop.token(), "tea");
	}

	@Test
	void aFormIsSubmittedOnce() throws Exception {
		String form = "article=cup&_idempotentToken="
				+ shop.find("/form", "name=\"_idempotentToken\" value=\"([^\"]+)\"");
		Answer first = shop.post("/orders/form", form);
		assertThat(first.body()).startsWith("Order ");
		assertThat(shop.post("/orders/form", form).body()).isEqualTo(first.body());
		assertThat(count("cup")).isOne();
	}

	@Test
	void aKeyInTheHeaderIsGoodForOneOrder() throws Exception {
		assertPlacedOnce("header", KEY, "one", "coffee");
	}

	@Test
	void anotherOrderUnderAKeyIsRefused() throws Exception {
		shop.order("header", KEY, "two", "rice");
		Answer other = shop.order("header", KEY, "two", "beans");
		assertThat(other.status()).isEqualTo(422);
		assertThat(other.type()).startsWith("application/problem+json");
		assertThat(other.body()).contains("key-reused");
		assertThat(count("beans")).isZero();
	}

	@Test
	void theSameContentIsOneOrder() throws Exception {
		assertPlacedOnce("content", KEY, "any", "salt");
	}

	@Test
	void aMethodRunsOnceAndReturnsItsResultAgain() throws Exception {
		Answer first = shop.order("method", KEY, "any", "oil");
		assertThat(first.status()).as(first.body()).isEqualTo(201);
		assertThat(shop.order("method", KEY, "any", "oil").body()).isEqualTo(first.body()).contains("oil");
		assertThat(count("oil")).isOne();
	}

	@Test
	void aReceiptOutlivesTheRecord() throws Exception {
		shop.order("header", KEY, "three", "flour");
		redis.restart();
		Answer second = shop.order("header", KEY, "three", "flour");
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.body()).contains("response-unavailable");
		assertThat(count("flour")).isOne();
	}

	@Test
	void aMethodIsLockedInRedisAndFenced() throws Exception {
		assertThat(shop.post("/stocktaking", "").body()).isEqualTo("versions:lock:stock on redisson");
		assertThat(database().queryForObject("select token from idempotent_fence", Long.class)).isPositive();
	}

	@Test
	void aMethodIsLockedInTheDatabase() throws Exception {
		assertThat(shop.post("/archive", "").body()).isEqualTo("versions:lock:archive");
		assertThat(database().queryForList("select name from idempotent_lock", String.class))
			.contains("versions:lock:archive");
	}

	@Test
	void aStepThatIsDoneIsNotDoneAgain() throws Exception {
		Answer first = shop.order("steps", KEY, "four", "sugar");
		assertThat(first.body()).contains("of sugar");
		assertThat(shop.order("steps", KEY, "four", "sugar").body()).isEqualTo(first.body());
		assertThat(database().queryForObject("select count(*) from idempotent_step", Long.class)).isEqualTo(2);
	}

	@Test
	void healthHasStoreGuardAndEngine() throws Exception {
		assertThat(shop.get("/actuator/health")).contains("\"idempotentStore\"", "\"idempotentGuard\"",
				"\"lockEngine\"");
	}

	@Test
	void operatorsHaveEndpoints() throws Exception {
		assertThat(shop.get("/actuator/idempotent")).contains("ApiController.byHeader", "Orders.placeOnce");
		assertThat(shop.get("/actuator/locks")).contains("redisson");
		assertThat(shop.get("/actuator/info")).contains("\"idempotent\"");
		assertThat(shop.get("/actuator/metrics")).contains("\"idempotent.");
	}

	@Test
	void operationsAreDocumented() throws Exception {
		assertThat(shop.get("/v3/api-docs")).contains("\"Idempotency-Key\"", "\"Idempotent-Token\"");
	}

	@Test
	void theDetectorListsEndpoints() throws Exception {
		assertThat(shop.get("/actuator/idempotentdetector")).contains("/stocktaking");
	}

	@Test
	void operatorsHaveAPage() throws Exception {
		assertThat(shop.get("/idempotent/")).contains("<html");
	}

	private static void assertPlacedOnce(String kind, String header, String key, String article) throws Exception {
		Answer first = shop.order(kind, header, key, article);
		assertThat(first.status()).as(first.body()).isEqualTo(201);
		assertThat(first.body()).contains(article);
		assertThat(first.replayed()).isFalse();
		assertThat(shop.order(kind, header, key, article))
			.isEqualTo(new Answer(first.status(), first.type(), first.body(), true));
		assertThat(count(article)).isOne();
	}

	private static long count(String article) {
		Long count = database().queryForObject("select count(*) from orders where article = ?", Long.class, article);
		return (count != null) ? count : 0;
	}

	private static JdbcTemplate database() {
		return application.getBean(JdbcTemplate.class);
	}

}
