package io.idempotent.versions;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.switching.EngineSwitching;
import io.idempotent.testing.RedisTalk;
import io.idempotent.versions.Messages.ArticleSoldOut;
import io.idempotent.versions.Shop.Answer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.support.TransactionOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The published classes run unchanged on the version of Spring Boot that the module has.
 */
@Tag("slow")
abstract class VersionContract {

	/** The profile of an application that all servers are there for. */
	static final String SERVERS = "servers";

	static final String KEY = "Idempotency-Key";

	private static Servers servers;

	private static ConfigurableApplicationContext application;

	private static Shop shop;

	@BeforeAll
	static void start() throws Exception {
		servers = Servers.start();
		application = SpringApplication.run(OrderApplication.class,
				Stream.concat(Stream.of("--spring.profiles.active=" + SERVERS), Stream.of(servers.asArguments()))
					.toArray(String[]::new));
		shop = Shop.at(application.getEnvironment().getRequiredProperty("local.server.port"));
	}

	@AfterAll
	static void stop() {
		application.close();
		servers.close();
	}

	static ConfigurableApplicationContext application() {
		return application;
	}

	static Shop shop() {
		return shop;
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
		servers.redis().restart();
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
	void aMethodIsLockedInZooKeeper() throws Exception {
		OtherEngines engines = application.getBean(OtherEngines.class);
		try (CuratorFramework curator = CuratorFrameworkFactory.newClient(servers.zooKeeper().connectString(),
				new RetryOneTime(100))) {
			curator.start();
			curator.blockUntilConnected();
			ZooKeeper client = curator.getZookeeperClient().getZooKeeper();
			List<String> locked = engines.inZooKeeper(() -> ZKUtil.listSubTreeBFS(client, "/"));
			List<String> unlocked = ZKUtil.listSubTreeBFS(client, "/");
			assertThat(locked).anyMatch((node) -> node.contains("inspection") && !unlocked.contains(node));
		}
	}

	@Test
	void aMethodIsLockedByAMajority() throws Exception {
		List<String> found = application.getBean(OtherEngines.class)
			.ofQuorum(() -> servers.quorum().stream().map(VersionContract::keys).toList());
		assertThat(found.stream().filter((keys) -> keys.contains("inspection"))).hasSizeGreaterThan(1);
	}

	private static String keys(EmbeddedRedis server) {
		return RedisTalk.ask(server, "KEYS *");
	}

	@Test
	void theNodesSwitchToAnotherEngine() throws Exception {
		EngineSwitching switching = application.getBean(EngineSwitching.class);
		switching.switchTo("zookeeper");
		assertThat(shop.post("/stocktaking", "").body()).isEqualTo("versions:lock:stock on zookeeper");
		switching.switchTo("redisson");
		assertThat(application.getBean(DistributedLocks.class).engineInForce()).isEqualTo("redisson");
	}

	@Test
	void aMessageOfKafkaTakesEffectOnce() {
		KafkaTemplate<?, ?> kafka = application.getBean(KafkaTemplate.class);
		assertTakesEffectOnce("pear",
				(article) -> kafka.send(MessageBuilder.withPayload(article)
					.setHeader(KafkaHeaders.TOPIC, Messages.QUEUE)
					.setHeader("ce_source", "warehouse")
					.setHeader("ce_id", article)
					.build()));
	}

	@Test
	void aMessageOfRabbitTakesEffectOnce() {
		AmqpTemplate rabbit = application.getBean(AmqpTemplate.class);
		assertTakesEffectOnce("plum",
				(article) -> rabbit.convertAndSend(Messages.QUEUE, (Object) article, (message) -> {
					message.getMessageProperties().setMessageId(article);
					return message;
				}));
	}

	@Test
	void aMessageOfJmsTakesEffectOnce() {
		JmsTemplate jms = application.getBean(JmsTemplate.class);
		assertTakesEffectOnce("fig", (article) -> jms.convertAndSend(Messages.QUEUE, article, (message) -> {
			message.setStringProperty("ce_source", "warehouse");
			message.setStringProperty("ce_id", article);
			return message;
		}));
	}

	private static void assertTakesEffectOnce(String article, Consumer<String> broker) {
		List.of(article, article, "last " + article).forEach(broker);
		await().untilAsserted(() -> assertThat(count("last " + article)).isOne());
		assertThat(count(article)).isOne();
	}

	@Test
	void anEventThatIsPublishedAgainTakesEffectOnce() {
		application.getBean(TransactionOperations.class)
			.executeWithoutResult((status) -> application.publishEvent(new ArticleSoldOut("quince")));
		awaitCompletion();
		// As if the node had been killed before.
		database().update("update event_publication set completion_date = null");
		application.getBean(IncompleteEventPublications.class).resubmitIncompletePublications((publication) -> true);
		awaitCompletion();
		assertThat(count("quince")).isOne();
	}

	private static void awaitCompletion() {
		await().untilAsserted(
				() -> assertThat(database().queryForList("select completion_date from event_publication", Object.class))
					.singleElement()
					.isNotNull());
	}

	@Test
	void aRefusalIsInTheScriptOfTheCaller() throws Exception {
		assertThat(shop.refusal("zh-Hant")).contains("\u51aa\u7b49");
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

	static long count(String article) {
		Long count = database().queryForObject("select count(*) from orders where article = ?", Long.class, article);
		return (count != null) ? count : 0;
	}

	private static JdbcTemplate database() {
		return application.getBean(JdbcTemplate.class);
	}

}
