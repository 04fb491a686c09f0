package io.idempotent.operations;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;
import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.InterventionResult;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.method.IdempotentBatches;
import io.idempotent.store.KeyPrefix;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * All that this library does in Redis, in applications whose user may do what the
 * documentation lets it. Nothing more is asked for but what the pages name as harmless.
 */
@Tag("slow")
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RedisUserTests {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/redis-store.md")
		.and(RedisAcl.of("reference/lock-engines.md"));

	/** Redisson asks whether this is a Cluster; the checks of the server; health. */
	private static final List<String> HARMLESS = List.of("key test1", "command config|get", "command info",
			"command command|info");

	private static EmbeddedRedis redis;

	private static ConfigurableApplicationContext shop;

	private static ConfigurableApplicationContext other;

	@BeforeAll
	static void start() {
		Handlers.running = new CountDownLatch(1);
		Handlers.proceed = new CountDownLatch(1);
		redis = EmbeddedRedis.start();
		DOCUMENTED.set(redis);
		shop = run();
		other = run();
	}

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).run("--server.port=0", "--spring.application.name=shop",
				"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
				"--spring.data.redis.username=" + RedisAcl.USER, "--spring.data.redis.password=" + RedisAcl.PASSWORD,
				"--idempotent.store.redis.key-prefix=shop:idem:",
				"--spring.datasource.url=jdbc:h2:mem:redis-user;DB_CLOSE_DELAY=-1",
				"--idempotent.lock.engines=redisson,jdbc", "--idempotent.initialize-schema=always",
				"--idempotent.lock.switching.enabled=true", "--idempotent.lock.switching.authority=redisson",
				"--idempotent.lock.switching.lease-time=2s", "--spring.main.banner-mode=off",
				"--management.endpoint.health.show-details=always", "--management.endpoints.web.exposure.include=*");
	}

	@AfterAll
	static void nothingWasDenied() {
		shop.close();
		other.close();
		try (EmbeddedRedis closing = redis) {
			assertThat(RedisAcl.denied(closing)).isSubsetOf(HARMLESS);
		}
	}

	@Test
	void keysAreClaimedAndReplayed() {
		for (ConfigurableApplicationContext node : List.of(shop, shop, other)) {
			assertThat(post(node, "/orders", "Idempotency-Key", "\"1\"").statusCode()).isEqualTo(200);
		}
		assertThat(post(shop, "/burnt", "Idempotency-Key", "\"1\"").statusCode()).isEqualTo(200);
		assertThat(post(other, "/burnt", "Idempotency-Key", "\"1\"").statusCode()).isEqualTo(409);
	}

	@Test
	void tokensAreIssuedAndUsed() {
		String token = send(shop, "/token", (request) -> request.header("Accept", "text/plain")).body();
		for (int i = 0; i < 2; i++) {
			assertThat(post(other, "/forms", "Idempotent-Token", token).body()).isEqualTo("form");
		}
	}

	@Test
	void duplicatesWaitAtAnotherNode() {
		CompletableFuture<String> first = CompletableFuture
			.supplyAsync(() -> post(shop, "/slow", "Idempotency-Key", "\"2\"").body());
		await().until(() -> Handlers.running.getCount() == 0);
		CompletableFuture<String> repeat = CompletableFuture
			.supplyAsync(() -> post(other, "/slow", "Idempotency-Key", "\"2\"").body());
		await().until(() -> other.getBean(IdempotencyGate.class).status().waiting() > 0);
		Handlers.proceed.countDown();
		assertThat(first).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("slow");
		assertThat(repeat).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("slow");
	}

	@Test
	void batchesAreClaimedTogether() {
		for (ConfigurableApplicationContext node : List.of(shop, other)) {
			node.getBean(IdempotentBatches.class)
				.of("batch", Function.identity())
				.execute(List.of("a", "b", "c"), (item) -> assertThat(node).isSameAs(shop));
		}
	}

	@Test
	void operatorsFindAndSettle() {
		assertThat(post(shop, "/unknown", "Idempotency-Key", "\"3\"").statusCode()).isEqualTo(500);
		assertThat(post(other, "/unknown", "Idempotency-Key", "\"3\"").statusCode()).isEqualTo(409);
		IdempotencyAdministration administration = other.getBean(IdempotencyAdministration.class);
		assertThat(administration.unknown(10).records()).singleElement().satisfies((one) -> {
			assertThat(administration.find(new KeyPrefix(one.key().toString())).records()).hasSize(1);
			assertThat(administration.release(one.key(), "alice", "never arrived", false))
				.isInstanceOf(InterventionResult.Done.class);
		});
		assertThat(send(shop, "/actuator/health/idempotentStore", (request) -> request).body()).contains("UP");
		assertThat(send(shop, "/actuator/idempotent", (request) -> request).statusCode()).isEqualTo(200);
	}

	@Test
	@Order(Integer.MAX_VALUE)
	void locksAreTakenAndSwitched() throws InterruptedException {
		DistributedLocks locks = shop.getBean(DistributedLocks.class);
		for (Lock lock : List.of(locks.get("plain"), locks.get("fair", LockOptions.DEFAULTS.withFair(true)),
				locks.readWrite("rows").readLock(), locks.readWrite("rows").writeLock(), locks.all("a", "b"))) {
			assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
			lock.unlock();
		}
		locks.get("plain").lock();
		assertThat(other.getBean(DistributedLocks.class).get("plain").tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
		LockAdministration administration = other.getBean(LockAdministration.class);
		administration.forceRelease("plain", null, "alice", "a test");
		assertThatException().isThrownBy(locks.get("plain")::unlock);
		administration.switchEngine("jdbc", "alice", "a test");
		administration.switchEngine("redisson", "alice", "a test");
		assertThat(administration.inspect("rows", null).isHeld()).isFalse();
		assertThat(send(shop, "/actuator/locks", (request) -> request).statusCode()).isEqualTo(200);
	}

	private static HttpResponse<String> post(ConfigurableApplicationContext node, String path, String header,
			String value) {
		return send(node, path,
				(request) -> request.header(header, value).POST(HttpRequest.BodyPublishers.ofString("{}")));
	}

	private static HttpResponse<String> send(ConfigurableApplicationContext node, String path,
			Function<HttpRequest.Builder, HttpRequest.Builder> request) {
		String port = node.getEnvironment().getProperty("local.server.port");
		return Unchecked.call(() -> HTTP.send(
				request.apply(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))).build(),
				HttpResponse.BodyHandlers.ofString()));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Handlers.class)
	static class Application {

	}

	@RestController
	static class Handlers {

		static volatile CountDownLatch running = new CountDownLatch(1);

		static volatile CountDownLatch proceed = new CountDownLatch(1);

		@PostMapping("/orders")
		@ApiIdempotent(value = KeySource.HEADER, name = "order")
		String order() {
			return "order";
		}

		@PostMapping("/burnt")
		@ApiIdempotent(value = KeySource.HEADER, name = "burnt", whenCompleted = WhenCompleted.BURN)
		String burnt() {
			return "burnt";
		}

		@PostMapping("/forms")
		@ApiIdempotent(name = "form")
		String form() {
			return "form";
		}

		@PostMapping("/slow")
		@ApiIdempotent(value = KeySource.HEADER, name = "slow", whenInProgress = WhenInProgress.WAIT)
		String slow() throws InterruptedException {
			running.countDown();
			proceed.await(20, TimeUnit.SECONDS);
			return "slow";
		}

		@PostMapping("/unknown")
		@ApiIdempotent(value = KeySource.HEADER, name = "unknown", whenFailed = WhenFailed.UNKNOWN,
				whenUnknown = WhenUnknown.REJECT)
		String unknown() {
			throw new IllegalStateException("The bank did not answer");
		}

	}

}
